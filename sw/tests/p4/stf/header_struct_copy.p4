// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct pair { bit<8> x; bit<8> y; }
struct headers { data_t d; }
struct meta { pair p; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    m.p = { h.d.a, h.d.b }; pair q = m.p; q.x = 0xff; m.p.y = m.p.y + q.x; h.d.a = m.p.x; h.d.b = m.p.y;
    pair w = { y = 4, x = 3 }; if (q == m.p) { h.d.a = 0; } if (w.x == 3 && w.y == 4) { h.d.b = h.d.b + 0x10; }
  }
}
#include "end.inc"
