// SPDX-License-Identifier: Apache-2.0
// A direct meter runs on a hit, before the action.
#include "start.inc"
header data_t { bit<8> k; bit<8> c; }
struct headers { data_t d; }
struct meta { bit<8> colour; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  direct_meter<bit<8>>(MeterType.packets) dm;
  action a() { dm.read(m.colour); }
  table t { key = { h.d.k : exact; } actions = { a; NoAction; } meters = dm; }
  apply {
    s.egress_spec = 1;
    m.colour = 9;
    t.apply();
    h.d.c = m.colour;
  }
}
#include "end.inc"
