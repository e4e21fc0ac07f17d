// SPDX-License-Identifier: Apache-2.0
// A clone may be cloned in the egress.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { h.d.a = h.d.a + 1; if (h.d.a < 3) clone(CloneType.E2E, 1); }
}
#include "end.inc"
