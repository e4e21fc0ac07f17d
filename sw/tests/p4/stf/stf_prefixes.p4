// SPDX-License-Identifier: Apache-2.0
// What is expected may be the beginning of a packet, even half a byte of it.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.b = ~h.d.a;
  }
}
#include "end.inc"
