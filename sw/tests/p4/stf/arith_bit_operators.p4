// SPDX-License-Identifier: Apache-2.0
// and, or, exclusive or, complement; they bind tighter than comparisons.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.r = h.d.a & 0x0f | h.d.b & 0xf0 ^ 0x30;
    if (h.d.a & 1 == 1) h.d.r = ~h.d.r;
  }
}
#include "end.inc"
