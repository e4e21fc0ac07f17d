// SPDX-License-Identifier: Apache-2.0
// A value set over several keys, filled by the control plane.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { bit<8> r; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  value_set<tuple<bit<8>, bit<8>>>(4) pairs;
  state start { p.extract(h.d); transition select(h.d.a, h.d.b) { pairs: found; _: accept; } }
  state found { m.r = 1; transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = m.r;
  }
}
#include "end.inc"
