// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> i; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  counter(4, CounterType.packets_and_bytes) c; direct_counter(CounterType.packets) dc;
  action a() { }
  table t { key = { h.d.i: exact; } actions = { a; NoAction; } counters = dc; }
  apply {
    s.egress_spec = 1;
    c.count((bit<32>)h.d.i); t.apply();
  }
}
#include "end.inc"
