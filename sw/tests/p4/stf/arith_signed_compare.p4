// SPDX-License-Identifier: Apache-2.0
// int compares with its sign, bit without.
#include "start.inc"
header data_t { int<8> a; int<8> b; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.r = 0;
    if (h.d.a < h.d.b) h.d.r[0:0] = 1;
    if ((bit<8>)h.d.a < (bit<8>)h.d.b) h.d.r[1:1] = 1;
    if (h.d.a >= h.d.b) h.d.r[2:2] = 1;
    if (h.d.a == -1) h.d.r[3:3] = 1;
  }
}
#include "end.inc"
