// SPDX-License-Identifier: Apache-2.0
// Priorities that are written, and those filled in.
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a(bit<8> v) { h.d.r = v; }
  table t { key = { h.d.k : ternary; } actions = { a; }
    entries = { const priority = 100 : 0x10 &&& 0xf0 : a(1); 0x11 : a(2); priority = 200 : 0x12 : a(3); } default_action = a(0); }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
