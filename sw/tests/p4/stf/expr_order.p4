// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> c; }
bit<8> next(inout bit<8> x) { x = x + 1; return x; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.b = h.d.a + next(h.d.a); h.d.c = next(h.d.a) - next(h.d.a);
  }
}
#include "end.inc"
