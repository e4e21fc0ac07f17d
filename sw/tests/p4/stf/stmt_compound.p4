// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> c; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a += 2; h.d.b <<= 1; h.d.c |+|= 0xf0; h.d.a[3:0] -= 1; h.d.b ^= h.d.a;
  }
}
#include "end.inc"
