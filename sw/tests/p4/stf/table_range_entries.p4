// SPDX-License-Identifier: Apache-2.0
// Ranges, masks and anything in const entries; the first that fits wins.
#include "start.inc"
header data_t { bit<8> k; bit<8> l; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a(bit<8> v) { h.d.r = v; }
  table t { key = { h.d.k : range; h.d.l : ternary; } actions = { a; }
    const entries = { (1 .. 5, _) : a(1); (3 .. 9, 0x80 &&& 0x80) : a(2); (_, 7) : a(3); (8w200 .. 255, 0 &&& 0) : a(4); } default_action = a(0); }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
