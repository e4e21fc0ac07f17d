// SPDX-License-Identifier: Apache-2.0
// break and continue are for the innermost loop.
#include "start.inc"
header data_t { bit<8> n; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    for (bit<8> i in 0 .. 3) { for (bit<8> j in 0 .. 9) { if (j == i) break; if (j == 1) continue; h.d.r = h.d.r + 1; } if (i == h.d.n) break; h.d.r = h.d.r + 0x10; }
  }
}
#include "end.inc"
