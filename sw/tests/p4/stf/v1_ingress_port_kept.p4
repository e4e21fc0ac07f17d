// SPDX-License-Identifier: Apache-2.0
// ingress_port and user metadata go from ingress to egress.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { bit<8> x; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    m.x = 0x77;
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { h.d.a = (bit<8>)s.ingress_port; h.d.b = m.x; }
}
#include "end.inc"
