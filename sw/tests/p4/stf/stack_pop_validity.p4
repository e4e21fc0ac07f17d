// SPDX-License-Identifier: Apache-2.0
// pop_front takes elements away from the front.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; data_t[3] st; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.st[0] = { 1 }; h.st[2] = { 3 };
    if (h.d.a == 1) h.st.pop_front(1);
    if (h.d.a == 2) h.st.pop_front(2);
    if (h.d.a == 3) h.st.pop_front(3);
  }
}
#include "end.inc"
