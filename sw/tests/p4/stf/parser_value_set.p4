// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { bit<8> x; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  value_set<bit<8>>(4) vs;
  state start { p.extract(h.d); transition select(h.d.k) { vs: hit; default: accept; } }
  state hit { m.x = 1; transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.r = m.x;
  }
}
#include "end.inc"
