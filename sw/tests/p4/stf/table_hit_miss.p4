// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a() { } action b() { h.d.r = h.d.r + 1; }
  table t { key = { h.d.k: exact; } actions = { a; b; } const entries = { 1: a(); 2: b(); } default_action = b; }
  apply {
    s.egress_spec = 1;
    if (t.apply().hit) { h.d.r = h.d.r + 0x10; } else { h.d.r = h.d.r + 0x20; }
  }
}
#include "end.inc"
