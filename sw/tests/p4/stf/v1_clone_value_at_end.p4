// SPDX-License-Identifier: Apache-2.0
// The fields of the list have the values of the end of the ingress.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { @field_list(1) bit<8> x; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    m.x = 1;
    clone_preserving_field_list(CloneType.I2E, 1, 1);
    m.x = 2;
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { h.d.a = m.x; }
}
#include "end.inc"
