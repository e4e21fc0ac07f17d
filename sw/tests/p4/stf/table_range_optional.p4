// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> o; bit<8> r; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action set(bit<8> v) { h.d.r = v; }
  table t { key = { h.d.k: range; h.d.o: optional; } actions = { set; } default_action = set(0xdd); }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
