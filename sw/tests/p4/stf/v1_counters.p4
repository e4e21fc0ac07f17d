// SPDX-License-Identifier: Apache-2.0
// Indirect counters by packets and bytes; direct ones count hits.
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  counter(4, CounterType.packets_and_bytes) c;
  direct_counter(CounterType.packets_and_bytes) dc;
  action a() { dc.count(); }
  table t { key = { h.d.k : exact; } actions = { a; NoAction; } counters = dc; }
  apply {
    s.egress_spec = 1;
    c.count((bit<32>)h.d.k);
    t.apply();
  }
}
#include "end.inc"
