// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> j; bit<8> r; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action set(bit<8> v) { h.d.r = v; }
  table t { key = { h.d.k: ternary; h.d.j: exact; } actions = { set; }
    const entries = { (0x10 &&& 0xf0, 1): set(1); (0x12, 1): set(2); (_, 2): set(3); }
    default_action = set(0xdd); }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
