// SPDX-License-Identifier: Apache-2.0
// @name of a table, an action and a key.
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  @name("act") action a(bit<8> v) { h.d.r = v; }
  @name("tab") table t { key = { h.d.k : exact @name("kay"); } actions = { a; NoAction; } }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
