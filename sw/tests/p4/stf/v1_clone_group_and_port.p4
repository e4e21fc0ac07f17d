// SPDX-License-Identifier: Apache-2.0
// A session with a group makes a copy for each replica.
#include "start.inc"
header data_t { bit<8> r; bit<8> t; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    clone(CloneType.I2E, 1);
    mark_to_drop(s);
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { h.d.r = (bit<8>)s.egress_rid; h.d.t = (bit<8>)s.instance_type; }
}
#include "end.inc"
