// SPDX-License-Identifier: Apache-2.0
// The sign of a concatenation is that of its left side.
#include "start.inc"
header data_t { bit<8> a; bit<16> b; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    int<8> t = (int<8>)h.d.a;
    int<16> w = t ++ (bit<8>)h.d.a;
    h.d.b = (bit<16>)w;
    h.d.r = w < 0 ? 8w1 : 8w2;
  }
}
#include "end.inc"
