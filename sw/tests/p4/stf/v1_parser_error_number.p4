// SPDX-License-Identifier: Apache-2.0
// parser_error is compared in the egress, too.
#include "start.inc"
error { First }
header data_t { bit<16> a; }
struct headers { data_t d; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { verify(s.ingress_port != 3, error.First); p.extract(h.d); transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.setValid();
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { if (s.parser_error == error.PacketTooShort) h.d.a = 1; else if (s.parser_error == error.First) h.d.a = 2; else h.d.a = 3; }
}
#include "end.inc"
