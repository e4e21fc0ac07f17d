// SPDX-License-Identifier: Apache-2.0
// A range up to the largest number ends.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    for (bit<8> i in 8w0xfd .. 8w0xff) { h.d.a = h.d.a + 1; h.d.b = i; }
    for (bit<8> i in 8w5 .. 8w4) { h.d.a = 0xee; }
  }
}
#include "end.inc"
