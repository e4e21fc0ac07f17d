// SPDX-License-Identifier: Apache-2.0
// switch over the action that ran; a label without a block falls to the next.
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a() {} 
  action b() {}
  action c() {}
  action d() {}
  table t { key = { h.d.k : exact; } actions = { a; b; c; d; } const entries = { 1 : a(); 2 : b(); 3 : c(); } const default_action = d; }
  apply {
    s.egress_spec = 1;
    switch (t.apply().action_run) { a: b: { h.d.r = 1; } c: { h.d.r = 2; } default: { h.d.r = 3; } }
  }
}
#include "end.inc"
