// SPDX-License-Identifier: Apache-2.0
// A key that is an element of a stack by a variable index: its name holds the name of the index.
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
header item_t { bit<8> v; }
struct headers { data_t d; item_t[3] st; }
struct meta { bit<2> at; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start {
    p.extract(h.d);
    p.extract(h.st.next);
    p.extract(h.st.next);
    p.extract(h.st.next);
    transition accept;
  }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a(bit<8> v) { h.d.r = v; }
  table t {
    key = { h.st[m.at].v: exact; h.st[h.d.k].v: exact; }
    actions = { a; }
    default_action = a(0);
  }
  apply {
    s.egress_spec = 1;
    m.at = 2;
    t.apply();
  }
}
#include "end.inc"
