// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
header other_t { bit<8> v; }
struct headers { data_t d; other_t e; other_t f; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action set(bit<8> v) { h.d.r = v; }
  table t { key = { h.e.isValid(): exact; h.e.v: exact; } actions = { set; } default_action = set(0xdd); }
  apply {
    s.egress_spec = 1;
    if (h.d.k == 1) { h.e.setValid(); h.e.v = 5; } t.apply(); h.e.setInvalid();
  }
}
#include "end.inc"
