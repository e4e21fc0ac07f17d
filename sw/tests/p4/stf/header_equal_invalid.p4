// SPDX-License-Identifier: Apache-2.0
// Two invalid headers are equal, an invalid and a valid one are not.
#include "start.inc"
header data_t { bit<8> a; bit<8> r; }
struct headers { data_t d; data_t e; data_t f; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    bit<8> r = 0;
    if (h.e == h.f) r = r + 1;
    if (h.d == h.e) r = r + 2;
    h.e = h.d;
    if (h.d == h.e) r = r + 4;
    h.f = { h.d.a, h.d.r + 1 };
    if (h.d != h.f) r = r + 8;
    h.e.setInvalid(); h.f.setInvalid();
    h.d.r = r;
  }
}
#include "end.inc"
