// SPDX-License-Identifier: Apache-2.0
// Port 511 is the drop port, in ingress and in egress.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (h.d.a == 1) s.egress_spec = 511;
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { if (h.d.a == 2) s.egress_spec = 511; else s.egress_spec = 7; }
}
#include "end.inc"
