// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> op; bit<8> n; }
header other_t { bit<8> v; }
struct headers { data_t d; other_t[3] s; }
struct meta {  }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start {
    p.extract(h.d);
    p.extract(h.s.next);
    p.extract(h.s.next);
    p.extract(h.s.next);
    transition accept;
  }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (h.d.op == 1) { h.s.push_front(1); }
    if (h.d.op == 2) { h.s.pop_front(1); }
    if (h.d.op == 3) { h.s.push_front(1); h.s[0].setValid(); h.s[0].v = 0xee; }
    if (h.d.op == 4) { h.s.pop_front(2); h.s[1] = h.s[0]; }
    if (h.d.op == 5) { h.s.push_front(9); }
  }
}
#include "end.inc"
