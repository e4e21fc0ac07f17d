// SPDX-License-Identifier: Apache-2.0
// Tables of two instances have entries of their own, by their full names.
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control sub(inout data_t d) { action a(bit<8> v) { d.r = d.r + v; } table t { key = { d.k : exact; } actions = { a; NoAction; } } apply { t.apply(); } }
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  sub() one;
  sub() two;
  apply {
    s.egress_spec = 1;
    one.apply(h.d);
    two.apply(h.d);
  }
}
#include "end.inc"
