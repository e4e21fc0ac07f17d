// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
control Inner(in bit<8> k, inout bit<8> r) { action set(bit<8> v) { r = v; } table t { key = { k: exact; } actions = { set; NoAction; } } apply { t.apply(); } }
control Outer(in bit<8> k, inout bit<8> r) { Inner() a; Inner() b; apply { a.apply(k, r); b.apply(k + 1, r); } }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  Outer() o;
  apply {
    s.egress_spec = 1;
    o.apply(h.d.k, h.d.r);
  }
}
#include "end.inc"
