// SPDX-License-Identifier: Apache-2.0
// A union is copied with the member that is valid.
#include "start.inc"
header one_t { bit<8> x; }
header two_t { bit<8> x; bit<8> y; }
header_union u_t { one_t one; two_t two; }
struct headers { one_t d; u_t u; u_t v; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.u.two = { 1, 2 };
    h.v = h.u;
    if (h.d.x == 1) h.u.one = { 9 };
    if (h.d.x == 2) h.v.two.setInvalid();
  }
}
#include "end.inc"
