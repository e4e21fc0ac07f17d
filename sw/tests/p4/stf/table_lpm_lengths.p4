// SPDX-License-Identifier: Apache-2.0
// The longest prefix wins, whatever the order of entries.
#include "start.inc"
header data_t { bit<32> k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a(bit<8> v) { h.d.r = v; }
  table t { key = { h.d.k : lpm; } actions = { a; } default_action = a(0); }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
