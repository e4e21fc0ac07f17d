// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
control Sub(inout bit<8> x) { apply { x = 1; if (x == 1) { return; } x = 2; } }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  Sub() sub;
  apply {
    s.egress_spec = 1;
    sub.apply(h.d.a); if (h.d.b == 1) { return; } h.d.b = 7;
  }
}
#include "end.inc"
