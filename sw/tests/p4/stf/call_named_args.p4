// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> c; }
bit<8> sub(in bit<8> x, in bit<8> y = 1) { return x - y; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.b = sub(y = 2, x = h.d.a); h.d.c = sub(h.d.a);
  }
}
#include "end.inc"
