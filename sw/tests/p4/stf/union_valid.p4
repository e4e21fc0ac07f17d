// SPDX-License-Identifier: Apache-2.0
// isValid of a union, and of its members.
#include "start.inc"
header one_t { bit<8> x; }
header two_t { bit<16> y; }
header_union u_t { one_t one; two_t two; }
struct headers { one_t d; u_t u; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    bit<8> r = 0;
    if (h.u.isValid()) r = 1;
    h.u.one.setValid();
    if (h.u.isValid() && h.u.one.isValid() && !h.u.two.isValid()) r = r + 2;
    h.u.two.setValid();
    if (h.u.isValid() && !h.u.one.isValid() && h.u.two.isValid()) r = r + 4;
    h.u.one.setInvalid();
    if (!h.u.isValid()) r = r + 8;
    h.d.x = r;
  }
}
#include "end.inc"
