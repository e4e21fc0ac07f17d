// SPDX-License-Identifier: Apache-2.0
// Compound assignments to slices and elements.
#include "start.inc"
header data_t { bit<16> a; bit<8> i; }
struct headers { data_t d; data_t[2] st; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a[7:0] += 1;
    h.d.a[15:8] |= 0xf0;
    h.st[0] = { 1, 1 }; h.st[1] = { 2, 2 };
    h.st[h.d.i].a <<= 4;
    h.d.i -= 1;
  }
}
#include "end.inc"
