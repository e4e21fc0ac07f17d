// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> add; bit<8> sub; bit<8> iadd; bit<8> isub; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.add = h.d.a |+| h.d.b; h.d.sub = h.d.a |-| h.d.b;
    h.d.iadd = (bit<8>)((int<8>)h.d.a |+| (int<8>)h.d.b); h.d.isub = (bit<8>)((int<8>)h.d.a |-| (int<8>)h.d.b);
  }
}
#include "end.inc"
