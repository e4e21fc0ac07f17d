// SPDX-License-Identifier: Apache-2.0
// An exit within an expression leaves its assignment out.
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action stop() { h.d.k = 0x77; exit; }
  table t { key = { h.d.k : exact; } actions = { stop; NoAction; } const entries = { 1 : stop(); } default_action = NoAction(); }
  apply {
    s.egress_spec = 1;
    bool hit = true;
    h.d.r = t.apply().hit ? 8w5 : 8w6;
    h.d.k = hit ? 8w0x88 : 0;
  }
}
#include "end.inc"
