// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
control Sub(inout bit<8> x) { apply { x = 5; exit; } }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  Sub() sub;
  apply {
    s.egress_spec = 1; sub.apply(h.d.a); h.d.b = 9; s.egress_spec = 2;
  }
}
#include "end.inc"
