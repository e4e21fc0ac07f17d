// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> sel; bit<8> r; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action set(bit<8> v) { h.d.r = v; }
  action_selector(HashAlgorithm.identity, 8, 8) as;
  table t { key = { h.d.k: exact; h.d.sel: selector; } actions = { set; NoAction; } implementation = as; }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
