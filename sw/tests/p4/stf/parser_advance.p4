// SPDX-License-Identifier: Apache-2.0
// advance skips bits that are not deparsed.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.d); p.advance((bit<32>)h.d.b * 8); transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (s.parser_error == error.PacketTooShort) h.d.a = 0xee;
  }
}
#include "end.inc"
