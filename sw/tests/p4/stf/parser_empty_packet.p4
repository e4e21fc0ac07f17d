// SPDX-License-Identifier: Apache-2.0
// A packet without a byte.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.d); transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.setValid();
    h.d.a = s.parser_error == error.PacketTooShort ? 8w0x70 : 8w0;
  }
}
#include "end.inc"
