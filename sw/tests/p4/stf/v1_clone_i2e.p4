// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> c; }
struct headers { data_t d; }
struct meta { @field_list(1) bit<8> kept; bit<8> lost; @field_list(1, 2) bit<8> both; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    m.kept = 1; m.lost = 2; m.both = 4; h.d.a = h.d.a + 1;
    if (h.d.a == 1) clone_preserving_field_list(CloneType.I2E, 5, 1);
    if (h.d.a == 2) clone_preserving_field_list(CloneType.I2E, 5, 2);
    if (h.d.a == 3) clone(CloneType.I2E, 5);
    if (h.d.a == 4) clone(CloneType.I2E, 6);
    if (h.d.a == 5) { clone(CloneType.I2E, 5); mark_to_drop(s); }
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    h.d.b = (bit<8>)s.instance_type; h.d.c = m.kept + m.lost + m.both;
  }
}
#include "end.inc"
