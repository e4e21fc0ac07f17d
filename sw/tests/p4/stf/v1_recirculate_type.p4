// SPDX-License-Identifier: Apache-2.0
// In the second egress the type is 0 again; the ingress sees 4.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { @field_list(1) bit<8> n; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (s.instance_type == 4) h.d.b = 0x44 + m.n;
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { h.d.a = h.d.a + 1 + (bit<8>)s.instance_type; if (h.d.b == 0) { m.n = 1; recirculate_preserving_field_list(1); } }
}
#include "end.inc"
