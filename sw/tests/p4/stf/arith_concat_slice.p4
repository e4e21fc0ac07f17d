// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<16> a; bit<16> b; bit<32> c; bit<8> s; bit<16> w; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.c = h.d.b ++ h.d.a; h.d.s = h.d.a[11:4]; h.d.w[11:4] = h.d.b[7:0]; h.d.w[0:0] = 1;
  }
}
#include "end.inc"
