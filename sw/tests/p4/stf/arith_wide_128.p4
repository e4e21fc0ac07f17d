// SPDX-License-Identifier: Apache-2.0
// Sums, differences and shifts of 128 bits carry over words.
#include "start.inc"
header data_t { bit<128> a; bit<128> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    bit<128> t = h.d.a;
    h.d.a = h.d.a + h.d.b;
    h.d.b = (t - h.d.b) >> 4;
  }
}
#include "end.inc"
