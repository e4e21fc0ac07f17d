// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<16> spec; bit<16> port; bit<32> len; bit<32> inst; bit<16> early; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = s.ingress_port + 1; h.d.len = s.packet_length; h.d.early = (bit<16>)s.egress_port;
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    h.d.port = (bit<16>)s.egress_port; h.d.inst = s.instance_type; h.d.spec = (bit<16>)s.egress_spec;
  }
}
#include "end.inc"
