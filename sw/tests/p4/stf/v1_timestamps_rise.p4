// SPDX-License-Identifier: Apache-2.0
// Time stamps rise by a millisecond a packet.
#include "start.inc"
header data_t { bit<48> t; bit<48> u; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  register<bit<48>>(1) last;
  apply {
    s.egress_spec = 1;
    bit<48> before; last.read(before, 0); last.write(0, s.ingress_global_timestamp);
    h.d.t = s.ingress_global_timestamp - before;
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { h.d.u = s.egress_global_timestamp - s.ingress_global_timestamp; }
}
#include "end.inc"
