// SPDX-License-Identifier: Apache-2.0
// A clone keeps the fields of its list, nested ones and those of several lists.
#include "start.inc"
struct in_t { @field_list(2) bit<8> y; bit<8> z; }
header data_t { bit<8> a; bit<8> b; bit<8> c; bit<8> k; }
struct headers { data_t d; }
struct meta { @field_list(1, 2) bit<8> x; in_t i; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    m.x = 1; m.i.y = 2; m.i.z = 3;
    if (h.d.k == 0) clone(CloneType.I2E, 1);
    if (h.d.k == 1) clone_preserving_field_list(CloneType.I2E, 1, 1);
    if (h.d.k == 2) clone_preserving_field_list(CloneType.I2E, 1, 2);
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { if (s.instance_type == 1) { h.d.a = m.x; h.d.b = m.i.y; h.d.c = m.i.z; } }
}
#include "end.inc"
