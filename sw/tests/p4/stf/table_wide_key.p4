// SPDX-License-Identifier: Apache-2.0
// A key of 128 bits.
#include "start.inc"
header data_t { bit<128> k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a(bit<8> v) { h.d.r = v; }
  table t { key = { h.d.k : exact; } actions = { a; } default_action = a(0); }
  table u { key = { h.d.k : lpm; } actions = { a; NoAction; } default_action = NoAction; }
  apply {
    s.egress_spec = 1;
    t.apply();
    if (h.d.r == 0) u.apply();
  }
}
#include "end.inc"
