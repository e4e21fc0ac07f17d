// SPDX-License-Identifier: Apache-2.0
// Normal packets have 0, replicas 5, in the egress.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (h.d.a == 1) s.mcast_grp = 1;
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { h.d.a = (bit<8>)s.instance_type; h.d.b = (bit<8>)s.egress_rid; }
}
#include "end.inc"
