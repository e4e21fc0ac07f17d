// SPDX-License-Identifier: Apache-2.0
// A selector key chooses a member of a group. It is no part of the match, also in the program's own entries.
#include "start.inc"
header data_t { bit<8> k; bit<8> s; bit<8> r; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action set(bit<8> v) { h.d.r = v; }
  table t {
    key = { h.d.k: exact; h.d.s: selector; }
    actions = { set; NoAction; }
    const entries = { (1, 7): set(3); (2, _): set(4); }
  }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
