// SPDX-License-Identifier: Apache-2.0
// resubmit goes before multicast and drop.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (s.instance_type == 0) { resubmit_preserving_field_list(0); s.mcast_grp = 1; mark_to_drop(s); }
  }
}
#include "end.inc"
