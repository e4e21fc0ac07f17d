// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> i; bit<8> n; }
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
    h.d.n = h.s[h.d.i].v; h.s[h.d.i].v = 0x99;
  }
}
#include "end.inc"
