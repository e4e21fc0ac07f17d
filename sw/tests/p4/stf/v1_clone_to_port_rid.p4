// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> rid; bit<8> inst; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    clone(CloneType.I2E, 1);
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    h.d.rid = (bit<8>)s.egress_rid; h.d.inst = (bit<8>)s.instance_type;
  }
}
#include "end.inc"
