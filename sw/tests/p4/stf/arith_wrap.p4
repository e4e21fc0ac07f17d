// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> sum; bit<8> dif; bit<8> mul; bit<8> neg; bit<8> inv; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.sum = h.d.a + h.d.b; h.d.dif = h.d.a - h.d.b; h.d.mul = h.d.a * h.d.b; h.d.neg = -h.d.a; h.d.inv = ~h.d.b;
  }
}
#include "end.inc"
