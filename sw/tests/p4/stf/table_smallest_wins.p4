// SPDX-License-Identifier: Apache-2.0
// With largest_priority_wins = false the smaller number wins.
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a(bit<8> v) { h.d.r = v; }
  table t { key = { h.d.k : ternary; } actions = { a; } largest_priority_wins = false; priority_delta = 5;
    entries = { priority = 10 : 0x11 : a(1); 0x10 &&& 0xf0 : a(2); priority = 12 : 0x15 : a(3); } default_action = a(0); }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
