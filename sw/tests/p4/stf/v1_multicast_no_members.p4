// SPDX-License-Identifier: Apache-2.0
// A group without nodes, or that nobody made, gives no copies.
#include "start.inc"
header data_t { bit<8> g; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    s.mcast_grp = (bit<16>)h.d.g;
  }
}
#include "end.inc"
