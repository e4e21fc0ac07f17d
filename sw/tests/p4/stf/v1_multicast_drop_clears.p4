// SPDX-License-Identifier: Apache-2.0
// mark_to_drop clears the group, egress_spec 511 does not.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    s.mcast_grp = 1;
    if (h.d.a == 1) mark_to_drop(s);
    if (h.d.a == 2) s.egress_spec = 511;
  }
}
#include "end.inc"
