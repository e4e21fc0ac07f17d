// SPDX-License-Identifier: Apache-2.0
// exit in a control within another ends all; out arguments are written.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control c(inout bit<8> x) { apply { x = 5; if (true) exit; x = 6; } }
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  c() i;
  apply {
    s.egress_spec = 1;
    h.d.b = 1;
    i.apply(h.d.a);
    h.d.b = 2;
  }
}
#include "end.inc"
