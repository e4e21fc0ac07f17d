// SPDX-License-Identifier: Apache-2.0
// A packet that is rejected goes to the ingress, with what was read.
#include "start.inc"
header data_t { bit<8> a;  }
struct headers { data_t d; data_t e; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.d); transition select(h.d.a) { 0: reject; default: more; } }
  state more { p.extract(h.e); transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (!h.e.isValid()) s.egress_spec = 2;
  }
}
#include "end.inc"
