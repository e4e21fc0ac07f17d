// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<16> up; bit<16> sx; bit<4> down; bit<3> z; bit<1> t; bit<8> e; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.up = (bit<16>)h.d.a; h.d.sx = (bit<16>)(int<16>)(int<8>)h.d.a; h.d.down = (bit<4>)h.d.a; h.d.t = (bit<1>)(h.d.a == 0x8f);
    h.d.e = (bool)h.d.a[0:0] ? 8w7 : 8w9;
  }
}
#include "end.inc"
