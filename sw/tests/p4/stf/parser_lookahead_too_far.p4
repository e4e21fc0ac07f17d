// SPDX-License-Identifier: Apache-2.0
// lookahead over the end of the packet is PacketTooShort.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.d); transition select(p.lookahead<bit<16>>()) { default: accept; } }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = s.parser_error == error.PacketTooShort ? 8w1 : 8w2;
  }
}
#include "end.inc"
