// SPDX-License-Identifier: Apache-2.0
// return ends the control that it is in, and not its caller.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control c(inout bit<8> x) { apply { if (x == 0) { x = 5; return; } x = 6; } }
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  c() i;
  apply {
    s.egress_spec = 1;
    i.apply(h.d.a);
    h.d.b = 2;
  }
}
#include "end.inc"
