// SPDX-License-Identifier: Apache-2.0
// The place on the left is fixed before the right side is evaluated.
#include "start.inc"
bit<8> next(inout bit<8> x) { x = x + 1; return x; }
header data_t { bit<8> i; bit<8> r; }
struct headers { data_t d; data_t[2] st; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.st[0] = { 0, 0 }; h.st[1] = { 1, 0 };
    h.st[h.d.i].r = next(h.d.i);
  }
}
#include "end.inc"
