// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
bit<8> f(inout bit<8> x) { x = 1; if (x == 1) { return 7; } x = 2; return 8; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action act() { h.d.b = h.d.b + 1; return; h.d.b = 0; }
  apply {
    s.egress_spec = 1;
    h.d.b = f(h.d.a); act();
  }
}
#include "end.inc"
