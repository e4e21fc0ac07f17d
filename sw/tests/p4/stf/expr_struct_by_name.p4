// SPDX-License-Identifier: Apache-2.0
// Fields by name in any order, and `...` for those left out.
#include "start.inc"
struct three_t { bit<8> x; bit<8> y; bit<8> z; }
header data_t { bit<8> a; bit<8> b; bit<8> c; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    three_t t = { z = 3, x = h.d.a, y = 2 };
    three_t u = { y = 7, ... };
    h.d.a = t.z;
    h.d.b = t.x + u.y;
    h.d.c = u.z + t.y;
  }
}
#include "end.inc"
