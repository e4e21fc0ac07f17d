// SPDX-License-Identifier: Apache-2.0
// else belongs to the nearest if.
#include "start.inc"
header data_t { bit<8> a; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (h.d.a > 1) if (h.d.a > 2) h.d.r = 2; else h.d.r = 1;
  }
}
#include "end.inc"
