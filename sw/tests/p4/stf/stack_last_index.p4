// SPDX-License-Identifier: Apache-2.0
// lastIndex, next and last while parsing.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t[3] st;  }
struct meta { bit<8> last; bit<32> index; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.st.next); transition select(h.st.last.a) { 0: done; default: start; } }
  state done { m.index = h.st.lastIndex; m.last = h.st[h.st.lastIndex].a; transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.st[0].a = m.last;
    h.st.push_front(1);
    h.st[0] = { (bit<8>)m.index };
  }
}
#include "end.inc"
