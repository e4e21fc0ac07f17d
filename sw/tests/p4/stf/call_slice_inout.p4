// SPDX-License-Identifier: Apache-2.0
// Slices as inout arguments.
#include "start.inc"
void inc(inout bit<4> x) { x = x + 1; }
header data_t { bit<16> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    inc(h.d.a[7:4]);
    inc(h.d.a[15:12]);
  }
}
#include "end.inc"
