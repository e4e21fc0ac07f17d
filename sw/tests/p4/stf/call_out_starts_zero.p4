// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
void f(out bit<8> x, in bool w) { if (w) { x = 9; } }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    f(h.d.b, h.d.a == 1);
  }
}
#include "end.inc"
