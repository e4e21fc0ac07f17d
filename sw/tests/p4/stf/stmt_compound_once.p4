// SPDX-License-Identifier: Apache-2.0
// The left side of a compound assignment is evaluated once.
#include "start.inc"
bit<8> next(inout bit<8> x) { x = x + 1; return x; }
header data_t { bit<8> i; bit<8> r; }
struct headers { data_t d; data_t[3] st; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.st[0] = { 0, 1 }; h.st[1] = { 1, 1 }; h.st[2] = { 2, 1 };
    h.st[next(h.d.i)].r += 5;
  }
}
#include "end.inc"
