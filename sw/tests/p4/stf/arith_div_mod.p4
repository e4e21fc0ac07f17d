// SPDX-License-Identifier: Apache-2.0
// Division and remainder of bit<W>, and by 0.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> q; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.q = h.d.a / h.d.b;
    h.d.r = h.d.a % h.d.b;
  }
}
#include "end.inc"
