// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action x() { exit; } action y() { }
  table t { key = { h.d.a: exact; } actions = { x; y; } const entries = { 1: x(); 2: y(); } }
  apply {
    s.egress_spec = 1; switch (t.apply().action_run) { x: { h.d.b = 1; } y: { h.d.b = 2; } default: { h.d.b = 3; } } h.d.a = 0xaa;
  }
}
#include "end.inc"
