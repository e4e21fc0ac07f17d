// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
control Cnt(inout bit<8> x) { bit<8> n = 1; apply { bit<8> k; k = k + 1; n = n + k; x = n; } }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  Cnt() cnt;
  apply {
    s.egress_spec = 1;
    cnt.apply(h.d.a); cnt.apply(h.d.b);
  }
}
#include "end.inc"
