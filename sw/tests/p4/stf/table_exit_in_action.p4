// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action stop() { h.d.r = 0xee; exit; }
  table t { key = { h.d.k: exact; } actions = { stop; NoAction; } const entries = { 1: stop(); } }
  apply {
    s.egress_spec = 1; if (t.apply().hit) { h.d.r = 1; } else { h.d.r = 2; } h.d.k = 0x99;
  }
}
#include "end.inc"
