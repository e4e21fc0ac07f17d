// SPDX-License-Identifier: Apache-2.0
// A full stack gives StackOutOfBounds; what was taken stays.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t[2] st; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.st.next); transition start; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (s.parser_error == error.StackOutOfBounds) h.st[0].a = 0x51;
    if (s.parser_error == error.PacketTooShort) h.st[0].a = 0x70;
  }
}
#include "end.inc"
