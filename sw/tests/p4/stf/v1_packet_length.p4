// SPDX-License-Identifier: Apache-2.0
// packet_length is what came in, in ingress and egress.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; data_t e; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = (bit<8>)s.packet_length;
    h.e.setValid();
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { h.d.b = (bit<8>)s.packet_length; }
}
#include "end.inc"
