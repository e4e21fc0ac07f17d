// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  direct_meter<bit<8>>(MeterType.bytes) dm;
  action a() { dm.read(h.d.r); }
  table t { key = { h.d.k: exact; } actions = { a; } meters = dm; default_action = a; }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
