// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<48> in0; bit<48> out0; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.in0 = s.ingress_global_timestamp;
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    h.d.out0 = s.egress_global_timestamp;
  }
}
#include "end.inc"
