// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> c; }
struct headers { data_t d; }
struct meta { @field_list(1) bit<8> kept; bit<8> lost; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    m.kept = 1; m.lost = 2; h.d.a = h.d.a + 1;
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    h.d.b = h.d.b + 1; h.d.c = (bit<8>)s.instance_type + (m.kept ++ 4w0)[7:0]; if (s.instance_type == 0) clone_preserving_field_list(CloneType.E2E, 3, 1);
  }
}
#include "end.inc"
