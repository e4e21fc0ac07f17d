// SPDX-License-Identifier: Apache-2.0
// Right shift of int keeps the sign, also by more than its width.
#include "start.inc"
header data_t { int<8> a; bit<8> n; int<8> r; int<8> l; bit<8> u; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.r = h.d.a >> h.d.n;
    h.d.l = h.d.a << h.d.n;
    h.d.u = (bit<8>)h.d.a >> h.d.n;
  }
}
#include "end.inc"
