// SPDX-License-Identifier: Apache-2.0
// Actions outside of all controls.
#include "start.inc"
action nothing() {}
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
action set(inout bit<8> x, bit<8> v) { x = v; }
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  table t { key = { h.d.k : exact; } actions = { set(h.d.r); nothing; } default_action = nothing; }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
