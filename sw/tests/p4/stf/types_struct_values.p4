// SPDX-License-Identifier: Apache-2.0
// Structs are values: a copy stays as it is.
#include "start.inc"
struct s_t { bit<8> x; bit<8> y; }
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { s_t s; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    m.s = { h.d.a, h.d.b };
    s_t t = m.s;
    m.s.x = 0x55;
    h.d.a = t.x + 1;
    h.d.b = m.s.x;
  }
}
#include "end.inc"
