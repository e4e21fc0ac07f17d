// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; bit<8> q; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action set(bit<8> v) { h.d.r = v; }
  action put(bit<8> v) { h.d.q = v; }
  table t { key = { h.d.k: ternary; } actions = { set; }
    entries = { priority = 30: 0x10 &&& 0xf0: set(1); priority = 20: 0x12: set(2); priority = 10: _: set(3); } }
  table u { key = { h.d.k: ternary; } actions = { put; } largest_priority_wins = false;
    entries = { priority = 10: 0x12: put(2); priority = 20: 0x10 &&& 0xf0: put(1); priority = 30: _: put(3); } }
  apply {
    s.egress_spec = 1;
    t.apply(); u.apply();
  }
}
#include "end.inc"
