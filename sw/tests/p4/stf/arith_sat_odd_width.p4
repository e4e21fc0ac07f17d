// SPDX-License-Identifier: Apache-2.0
// Saturation at a width that is no byte.
#include "start.inc"
header data_t { bit<5> a; bit<3> pad; bit<5> s; bit<3> pad2; int<5> t; bit<3> pad3; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.s = h.d.a |+| 5w20;
    h.d.t = (int<5>)h.d.a |-| 5s10;
  }
}
#include "end.inc"
