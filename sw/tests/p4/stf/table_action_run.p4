// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a() { } action b() { } action c() { }
  table t { key = { h.d.k: exact; } actions = { a; b; c; } const entries = { 1: a(); 2: b(); 3: c(); } default_action = c; }
  apply {
    s.egress_spec = 1;
    switch (t.apply().action_run) { a: { h.d.r = 1; } b: c: { h.d.r = 2; } }
  }
}
#include "end.inc"
