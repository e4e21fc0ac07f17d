// SPDX-License-Identifier: Apache-2.0
// A clone from the ingress has the bytes that came in.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { bit<8> x; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    m.x = 5;
    clone(CloneType.I2E, 1);
    h.d.a = 0xff;
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { h.d.b = (bit<8>)s.instance_type + m.x; }
}
#include "end.inc"
