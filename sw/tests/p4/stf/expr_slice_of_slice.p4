// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<32> a; bit<8> b; bit<8> c; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.b = h.d.a[23:8][11:4]; h.d.a[23:8][7:0] = 0xee; h.d.c = h.d.a[15:8];
  }
}
#include "end.inc"
