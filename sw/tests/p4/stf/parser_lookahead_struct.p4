// SPDX-License-Identifier: Apache-2.0
// lookahead of a struct, a tuple and a header.
#include "start.inc"
struct two_t { bit<8> x; bit<8> y; }
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { bit<8> x; bit<8> y; bool v; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start {
    two_t t = p.lookahead<two_t>();
    m.x = t.y;
    m.y = p.lookahead<tuple<bit<8>, bit<8>>>()[0];
    data_t d = p.lookahead<data_t>();
    m.v = d.isValid();
    p.extract(h.d);
    transition accept;
  }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = m.x;
    h.d.b = m.v ? m.y + 1 : 0;
  }
}
#include "end.inc"
