// SPDX-License-Identifier: Apache-2.0
// The condition is looked at before the first round, updates behind each.
#include "start.inc"
header data_t { bit<8> n; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    for (bit<8> i = 0, bit<8> j = 10; i < h.d.n; i += 1, j -= 1) { h.d.r = h.d.r + j; }
  }
}
#include "end.inc"
