// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action x() { exit; } action y() { h.d.b = h.d.b + 1; }
  table t { key = { h.d.a: exact; } actions = { x; NoAction; } const entries = { 1: x(); 2: NoAction(); } }
  table u { actions = { y; } default_action = y; }
  apply {
    s.egress_spec = 1; if (t.apply().hit && u.apply().miss) { h.d.a = 0x99; }
  }
}
#include "end.inc"
