// SPDX-License-Identifier: Apache-2.0
// A variable in a loop's block is new in each round.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    for (bit<8> i in 1 .. 3) { bit<8> t; t = t + i; h.d.a = h.d.a + t; }
  }
}
#include "end.inc"
