// SPDX-License-Identifier: Apache-2.0
// push_front and pop_front in a state move next, too.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t[4] st; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.st.next); transition select(h.st.last.a) { 1: push; 2: pop; 3: far; default: accept; } }
  state push { h.st.push_front(2); p.extract(h.st.next); transition accept; }
  state pop { p.extract(h.st.next); h.st.pop_front(1); p.extract(h.st.next); transition accept; }
  state far { h.st.push_front(9); p.extract(h.st.next); transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (s.parser_error == error.StackOutOfBounds) s.egress_spec = 2;
    h.st[0].a = h.st[0].a + 0x10;
    if (h.st[1].isValid()) h.st[1].a = 0xee;
  }
}
#include "end.inc"
