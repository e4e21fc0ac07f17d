// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> r; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action set(bit<8> v) { h.d.r = v; }
  table t { actions = { set; } default_action = set(7); }
  apply {
    s.egress_spec = 1;
    if (t.apply().hit) { h.d.r = 0; }
  }
}
#include "end.inc"
