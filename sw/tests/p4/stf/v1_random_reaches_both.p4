// SPDX-License-Identifier: Apache-2.0
// Among many draws from 0 to 1 there are both.
#include "start.inc"
header data_t { bit<8> any; bit<8> all; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action draw() { bit<8> r = 2; random(r, 8w0, 8w1); h.d.any = h.d.any | r; h.d.all = h.d.all & r; }
  action draw_eight() { draw(); draw(); draw(); draw(); draw(); draw(); draw(); draw(); }
  apply {
    s.egress_spec = 1;
    h.d.any = 0; h.d.all = 255;
    draw_eight(); draw_eight(); draw_eight(); draw_eight();
  }
}
#include "end.inc"
