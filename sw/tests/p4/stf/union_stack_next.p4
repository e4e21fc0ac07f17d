// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
header u8_t { bit<8> v; } header u16_t { bit<16> v; } header_union u_t { u8_t a; u16_t b; }
struct us_t { u_t[3] u; }
struct headers { data_t d; }
struct meta { bit<8> a; bit<16> b; bit<8> n; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  us_t x;
  state start { p.extract(h.d); transition loop; }
  state loop { transition select(p.lookahead<bit<8>>()) { 1: one; 2: two; default: done; } }
  state one { p.extract(x.u.next.a); transition loop; }
  state two { p.extract(x.u.next.b); transition loop; }
  state done { m.a = x.u[0].a.v; m.b = x.u[1].b.v; m.n = (bit<8>)x.u.lastIndex; transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.k = m.a + m.b[7:0]; h.d.r = m.n;
  }
}
#include "end.inc"
