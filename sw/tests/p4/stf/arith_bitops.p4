// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> c; bit<8> d; bit<8> e; bit<8> f; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.c = h.d.a & h.d.b; h.d.d = h.d.a | h.d.b; h.d.e = h.d.a ^ h.d.b;
    h.d.f = h.d.a & 0xf == 3 ? 8w1 : 8w2;
  }
}
#include "end.inc"
