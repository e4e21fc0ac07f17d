// SPDX-License-Identifier: Apache-2.0
// A product keeps the low bits.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<16> c; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.c = (bit<16>)h.d.a * (bit<16>)h.d.b;
    h.d.a = h.d.a * h.d.b;
  }
}
#include "end.inc"
