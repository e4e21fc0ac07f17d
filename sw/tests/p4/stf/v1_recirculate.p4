// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> c; }
struct headers { data_t d; }
struct meta { @field_list(1) bit<8> n; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = h.d.a + 1; h.d.c = (bit<8>)s.instance_type;
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    m.n = m.n + 1; if (m.n < 3) recirculate_preserving_field_list(1); if (h.d.b == 9) mark_to_drop(s);
  }
}
#include "end.inc"
