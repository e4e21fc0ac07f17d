// SPDX-License-Identifier: Apache-2.0
// One table applied twice, with other keys.
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a(bit<8> v) { h.d.k = v; h.d.r = h.d.r + 1; }
  table t { key = { h.d.k : exact; } actions = { a; NoAction; } }
  apply {
    s.egress_spec = 1;
    t.apply();
    t.apply();
  }
}
#include "end.inc"
