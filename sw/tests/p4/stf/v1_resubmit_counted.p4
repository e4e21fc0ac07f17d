// SPDX-License-Identifier: Apache-2.0
// A packet that is resubmitted three times.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { @field_list(0) bit<8> n; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    m.n = m.n + 1;
    if (m.n < 4) resubmit_preserving_field_list(0);
    h.d.a = m.n;
  }
}
#include "end.inc"
