// SPDX-License-Identifier: Apache-2.0
// One register, read in the ingress of one packet and written by another.
#include "start.inc"
header data_t { bit<8> op; bit<8> v; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  register<bit<8>>(1) r;
  action put() { r.write(0, h.d.v); }
  action get() { r.read(h.d.v, 0); }
  table t { key = { h.d.op : exact; } actions = { put; get; } const entries = { 1 : put(); 2 : get(); } const default_action = get; }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
