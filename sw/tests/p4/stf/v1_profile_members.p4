// SPDX-License-Identifier: Apache-2.0
// An action profile's members are shared by entries.
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a(bit<8> v) { h.d.r = v; }
  action_profile(16) prof;
  table t { key = { h.d.k : exact; } actions = { a; NoAction; } implementation = prof; }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
