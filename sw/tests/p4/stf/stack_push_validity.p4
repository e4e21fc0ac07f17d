// SPDX-License-Identifier: Apache-2.0
// push_front makes room of invalid elements; the last ones fall off.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; data_t[3] st; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.st[0] = { 1 }; h.st[1] = { 2 }; h.st[2] = { 3 };
    if (h.d.a == 1) h.st.push_front(1);
    if (h.d.a == 2) { h.st.push_front(2); h.st[0] = { 9 }; }
    if (h.d.a == 3) h.st.push_front(5);
  }
}
#include "end.inc"
