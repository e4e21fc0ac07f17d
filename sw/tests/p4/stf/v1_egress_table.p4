// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { s.egress_spec = (bit<9>)h.d.a; }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  action set(bit<8> v) { h.d.a = v; }
  table t {
    key = { s.egress_port: exact; }
    actions = { set; NoAction; }
  }
  apply { t.apply(); }
}
#include "end.inc"
