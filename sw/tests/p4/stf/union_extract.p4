// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
header u8_t { bit<8> v; } header u16_t { bit<16> v; } header_union u_t { u8_t a; u16_t b; }
struct headers { data_t d; }
struct meta { bit<8> a; bit<16> b; bit<8> valid; }
parser Sub(packet_in p, in bit<8> k, out u_t u) {
  state start { transition select(k) { 1: one; 2: two; default: accept; } }
  state one { p.extract(u.a); transition accept; }
  state two { p.extract(u.b); transition accept; }
}
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  Sub() sub; u_t u;
  state start { p.extract(h.d); sub.apply(p, h.d.k, u); m.a = u.a.v; m.b = u.b.v; m.valid = u.isValid() ? 8w1 : 8w0; transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.r = m.a + m.b[7:0]; h.d.k = m.valid;
  }
}
#include "end.inc"
