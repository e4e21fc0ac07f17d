// SPDX-License-Identifier: Apache-2.0
// A variable in a block hides the one outside of it.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    bit<8> t = 1;
    { bit<8> t = 2; h.d.a = t; { bit<8> t = 3; h.d.b = t; } h.d.a = h.d.a + t; }
    h.d.b = h.d.b + t;
  }
}
#include "end.inc"
