// SPDX-License-Identifier: Apache-2.0
// Empty statements and blocks.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    ; { } if (h.d.a == 0) ; else { ; h.d.a = 7; }
  }
}
#include "end.inc"
