// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> n; bit<8> sum; }
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
    for (other_t x in h.s) { if (x.v == 9) break; h.d.sum = h.d.sum + x.v; }
  }
}
#include "end.inc"
