// SPDX-License-Identifier: Apache-2.0
// A struct goes in and out with all fields.
#include "start.inc"
struct s_t { bit<8> x; bit<8> y; }
void swap(inout s_t s) { s = { s.y, s.x }; }
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    s_t t = { h.d.a, h.d.b };
    swap(t);
    h.d.a = t.x; h.d.b = t.y;
  }
}
#include "end.inc"
