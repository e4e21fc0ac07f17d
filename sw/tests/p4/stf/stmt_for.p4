// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> c; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    for (bit<8> i = 0; i < h.d.a; i = i + 1) { if (i == 2) continue; if (i == 5) break; h.d.b = h.d.b + i; }
    for (bit<8> k in 8w1 .. h.d.a) { h.d.c = h.d.c + k; }
  }
}
#include "end.inc"
