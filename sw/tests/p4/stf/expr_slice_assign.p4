// SPDX-License-Identifier: Apache-2.0
// Slices on the left change only their bits.
#include "start.inc"
header data_t { bit<16> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a[11:4] = 0xab;
    h.d.a[0:0] = 1;
  }
}
#include "end.inc"
