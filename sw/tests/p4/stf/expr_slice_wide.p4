// SPDX-License-Identifier: Apache-2.0
// Slices over the border of words.
#include "start.inc"
header data_t { bit<128> a; bit<16> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.b = h.d.a[71:56];
    h.d.a[66:61] = 0x2a;
  }
}
#include "end.inc"
