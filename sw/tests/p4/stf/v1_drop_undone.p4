// SPDX-License-Identifier: Apache-2.0
// A later write to egress_spec undoes mark_to_drop.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    mark_to_drop(s);
    if (h.d.a == 1) s.egress_spec = 3;
  }
}
#include "end.inc"
