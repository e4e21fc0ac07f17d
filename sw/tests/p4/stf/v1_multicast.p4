// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<16> rid; bit<8> inst; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.mcast_grp = (bit<16>)h.d.a; if (h.d.a == 9) { mark_to_drop(s); s.mcast_grp = 1; } if (h.d.a == 8) { s.mcast_grp = 1; mark_to_drop(s); }
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    h.d.rid = s.egress_rid; h.d.inst = (bit<8>)s.instance_type; if (s.egress_port == s.ingress_port) mark_to_drop(s);
  }
}
#include "end.inc"
