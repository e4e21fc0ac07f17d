// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> c; }
struct headers { data_t d; }
struct meta { @field_list(1) bit<8> n; bit<8> other; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1; h.d.a = h.d.a + 1; h.d.b = (bit<8>)s.instance_type; h.d.c = m.n + m.other; m.other = 0x40; m.n = m.n + 1;
    if (m.n < 3) resubmit_preserving_field_list(1);
  }
}
#include "end.inc"
