// SPDX-License-Identifier: Apache-2.0
// A varbit takes as many bits as the call says; too many is HeaderTooShort.
#include "start.inc"
header opt_t { bit<8> len; varbit<24> v; }
header data_t { bit<8> a; }
struct headers { opt_t o; data_t d; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { bit<8> n = p.lookahead<bit<8>>(); p.extract(h.o, (bit<32>)n * 8); p.extract(h.d); transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (s.parser_error == error.HeaderTooShort) s.egress_spec = 2;
    if (s.parser_error == error.PacketTooShort) s.egress_spec = 3;
    if (h.d.isValid()) h.d.a = h.d.a + 1;
  }
}
#include "end.inc"
