// SPDX-License-Identifier: Apache-2.0
// Width first, then sign; cut, and extended by the sign.
#include "start.inc"
header data_t { bit<8> a; bit<16> b; bit<16> c; bit<4> d; bit<4> e; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.b = (bit<16>)(int<16>)(int<8>)h.d.a;
    h.d.c = (bit<16>)h.d.a;
    h.d.d = (bit<4>)h.d.a;
    h.d.e = (bit<4>)(int<4>)(int<8>)h.d.a;
  }
}
#include "end.inc"
