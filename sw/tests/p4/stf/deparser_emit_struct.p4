// SPDX-License-Identifier: Apache-2.0
// emit of a struct goes by its fields, and into stacks and unions.
#include "start.inc"
header b_t { bit<8> a; }
header_union u_t { b_t x; b_t y; }
struct in_t { b_t[2] st; u_t u; b_t z; }
struct headers { b_t d; in_t i; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.i.z = { 4 }; h.i.u.y = { 3 }; h.i.st[1] = { 2 };
  }
}
#include "end.inc"
