// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; bit<8> q; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action add(inout bit<8> x, in bit<8> y, bit<8> v) { x = x + v; x = x + y; }
  table t { key = { h.d.k: exact; } actions = { add(h.d.r, h.d.q); } }
  apply {
    s.egress_spec = 1;
    t.apply(); add(h.d.q, 1, 2);
  }
}
#include "end.inc"
