// SPDX-License-Identifier: Apache-2.0
// A stack of unions is parsed option by option.
#include "start.inc"
header one_t { bit<8> kind; }
header two_t { bit<8> kind; bit<8> v; }
header_union u_t { one_t one; two_t two; }
struct headers { u_t[3] us; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { transition select(p.lookahead<bit<8>>()) { 1: one; 2: two; default: accept; } }
  state one { p.extract(h.us.next.one); transition start; }
  state two { p.extract(h.us.next.two); transition start; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (h.us[1].two.isValid()) h.us[1].two.v = 0xff;
    if (h.us[0].one.isValid()) h.us[0].two = { 2, 0xaa };
  }
}
#include "end.inc"
