// SPDX-License-Identifier: Apache-2.0
// Fields that cross bytes.
#include "start.inc"
header data_t { bit<3> a; bit<10> b; bit<5> c; bit<6> e; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.b = h.d.b + 1;
    h.d.a = h.d.a ^ 7;
    h.d.e = (bit<6>)h.d.c;
  }
}
#include "end.inc"
