// SPDX-License-Identifier: Apache-2.0
// What the egress writes to egress_port and mcast_grp has no effect.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { h.d.a = (bit<8>)s.egress_port; h.d.b = (bit<8>)s.egress_spec; s.egress_port = 5; s.mcast_grp = 3; s.egress_rid = 9; }
}
#include "end.inc"
