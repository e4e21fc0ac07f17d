// SPDX-License-Identifier: Apache-2.0
// Conditions in a state.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; data_t e; }
struct meta { bit<8> r; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start {
    p.extract(h.d);
    if (h.d.a == 1) { m.r = 1; p.extract(h.e); } else if (h.d.a == 2) m.r = 2; else { m.r = 3; }
    transition accept;
  }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.b = m.r;
  }
}
#include "end.inc"
