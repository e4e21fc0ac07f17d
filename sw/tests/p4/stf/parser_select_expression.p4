// SPDX-License-Identifier: Apache-2.0
// The keys of select are expressions.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { bit<8> r; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.d); transition select(h.d.a + h.d.b, h.d.a > h.d.b) { (8, true): more; (8, false): less; (_, _): accept; } }
  state more { m.r = 1; transition accept; }
  state less { m.r = 2; transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.b = m.r;
  }
}
#include "end.inc"
