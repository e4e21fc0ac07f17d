// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<16> a; bit<8> n; bit<16> l; bit<16> r; bit<16> s; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.l = h.d.a << h.d.n; h.d.r = h.d.a >> h.d.n; h.d.s = (bit<16>)((int<16>)h.d.a >> h.d.n);
  }
}
#include "end.inc"
