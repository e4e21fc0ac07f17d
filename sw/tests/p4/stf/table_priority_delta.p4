// SPDX-License-Identifier: Apache-2.0
// Entries without a number follow the one before them by priority_delta.
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a(bit<8> v) { h.d.r = v; }
  table t { key = { h.d.k : ternary; } actions = { a; } priority_delta = 10;
    entries = { priority = 100 : 0x11 : a(1); 0x12 : a(2); _ : a(3); } default_action = a(0); }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
