// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> n; bit<8> r; }
header v_t { bit<8> a; varbit<24> v; bit<8> b; } struct vh { data_t d; v_t v; }
struct headers { data_t d; }
struct meta { bit<8> same; bit<8> b; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  v_t v; v_t w;
  state start { p.extract(h.d); p.extract(v, (bit<32>)h.d.n); w = v; m.same = (bit<8>)(bit<1>)(w == v); m.b = v.b; transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.n = m.same; h.d.r = m.b;
    if (s.parser_error == error.HeaderTooShort) h.d.r = 0xf1;
    if (s.parser_error == error.PacketTooShort) h.d.r = 0xf2;
    if (s.parser_error == error.ParserInvalidArgument) h.d.r = 0xf3;
  }
}
#include "end.inc"
