// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> c; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    tuple<bit<8>, bit<8>> t = { h.d.a, h.d.b }; tuple<bit<8>, bit<8>> u = { h.d.b, h.d.a };
    h.d.c = t == u ? 8w1 : (h.d.a > h.d.b ? 8w2 : 8w3);
  }
}
#include "end.inc"
