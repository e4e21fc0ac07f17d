// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
header u8_t { bit<8> v; } header u16_t { bit<16> v; } header_union u_t { u8_t a; u16_t b; }
struct headers { data_t d; }
struct meta { bit<8> x; }
struct top_t { u_t u; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) { state start { p.extract(h.d); transition accept; } }
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    u_t u; u8_t one; one.setValid(); one.v = 3;
    u.a.setValid(); h.d.r[0:0] = (bit<1>)u.a.isValid();
    u.b.setValid(); h.d.r[1:1] = (bit<1>)u.a.isValid(); h.d.r[2:2] = (bit<1>)u.b.isValid();
    u.a = one; h.d.r[3:3] = (bit<1>)u.b.isValid(); h.d.r[4:4] = (bit<1>)(u.a.v == 3);
    u.b.setInvalid(); h.d.r[5:5] = (bit<1>)u.isValid();
    u.a = one; one.setInvalid(); u.a = one; h.d.r[6:6] = (bit<1>)u.isValid();
  }
}
#include "end.inc"
