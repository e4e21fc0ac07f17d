// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; bit<8> q; }
control Sub(inout bit<8> k, inout bit<8> r) { action set(bit<8> v) { r = v; } table t { key = { k: exact; } actions = { set; NoAction; } } apply { t.apply(); } }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  Sub() one; Sub() two;
  apply {
    s.egress_spec = 1;
    one.apply(h.d.k, h.d.r); two.apply(h.d.k, h.d.q);
  }
}
#include "end.inc"
