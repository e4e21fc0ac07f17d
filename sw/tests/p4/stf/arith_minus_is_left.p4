// SPDX-License-Identifier: Apache-2.0
// Differences group to the left.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> c; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.c = h.d.a - h.d.b - 1;
    h.d.b = h.d.a - (h.d.b - 1);
  }
}
#include "end.inc"
