// SPDX-License-Identifier: Apache-2.0
// length is that of the whole packet.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { bit<32> n; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.d); m.n = p.length(); transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = (bit<8>)m.n;
  }
}
#include "end.inc"
