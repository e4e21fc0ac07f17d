// SPDX-License-Identifier: Apache-2.0
// A product of 96 bits.
#include "start.inc"
header data_t { bit<96> a; bit<96> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = h.d.a * h.d.b;
  }
}
#include "end.inc"
