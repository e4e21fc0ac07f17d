// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
header l_t { bit<1> bos; bit<7> v; } struct hs_t { data_t d; l_t[3] l; }
struct headers { data_t d; }
struct meta { bit<7> v; bit<8> last; }
parser Q(packet_in p, out hs_t h) { state start { p.extract(h.d); transition loop; } state loop { p.extract(h.l.next); transition select(h.l.last.bos) { 1: accept; 0: loop; } } }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  Q() q; hs_t x;
  state start { q.apply(p, x); h.d = x.d; m.v = x.l[0].v; m.last = (bit<8>)x.l.lastIndex; transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.k = 1w1 ++ m.v; h.d.r = m.last;
  }
}
#include "end.inc"
