// SPDX-License-Identifier: Apache-2.0
// bit<1> and int<1>.
#include "start.inc"
header data_t { bit<1> a; int<1> b; bit<6> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.r = 0;
    if (h.d.b < 0) h.d.r[0:0] = 1;
    h.d.a = h.d.a + 1;
    h.d.b = h.d.b + h.d.b;
    h.d.r[1:1] = (bit<1>)h.d.b;
  }
}
#include "end.inc"
