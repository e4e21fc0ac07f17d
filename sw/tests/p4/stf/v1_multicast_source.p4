// SPDX-License-Identifier: Apache-2.0
// A copy for the port of arrival is made; the egress may drop it.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    s.mcast_grp = 1;
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { if (h.d.a == 1 && s.egress_port == s.ingress_port) mark_to_drop(s); }
}
#include "end.inc"
