// SPDX-License-Identifier: Apache-2.0
// The parser writes metadata; local variables are new for each packet.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { bit<8> n; bit<9> port; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  bit<8> count = 3;
  state start { p.extract(h.d); count = count + h.d.a; m.n = count; m.port = s.ingress_port; transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = m.n;
    s.egress_spec = m.port + 1;
  }
}
#include "end.inc"
