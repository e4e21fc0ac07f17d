// SPDX-License-Identifier: Apache-2.0
// Operands are evaluated from left to right.
#include "start.inc"
bit<8> next(inout bit<8> n) { n = n + 1; return n; }
header data_t { bit<8> n; bit<8> a; bit<16> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = next(h.d.n) - next(h.d.n) * 2;
    h.d.b = next(h.d.n) ++ next(h.d.n);
  }
}
#include "end.inc"
