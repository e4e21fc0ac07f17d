// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> c; }
void swap(inout bit<8> x, inout bit<8> y) { bit<8> t = x; x = y; y = t; } void twice(inout bit<8> x, inout bit<8> y) { x = x + 1; y = y + 2; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    swap(h.d.a, h.d.b); twice(h.d.c, h.d.c);
  }
}
#include "end.inc"
