// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<1> lt; bit<1> le; bit<1> gt; bit<1> ge; bit<1> eq; bit<1> ilt; bit<1> igt; bit<1> ne; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.lt = (bit<1>)(h.d.a < h.d.b); h.d.le = (bit<1>)(h.d.a <= h.d.b); h.d.gt = (bit<1>)(h.d.a > h.d.b);
    h.d.ge = (bit<1>)(h.d.a >= h.d.b); h.d.eq = (bit<1>)(h.d.a == h.d.b); h.d.ne = (bit<1>)(h.d.a != h.d.b);
    h.d.ilt = (bit<1>)((int<8>)h.d.a < (int<8>)h.d.b); h.d.igt = (bit<1>)((int<8>)h.d.a > (int<8>)h.d.b);
  }
}
#include "end.inc"
