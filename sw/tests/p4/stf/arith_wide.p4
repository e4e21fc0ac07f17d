// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<128> a; bit<128> b; bit<128> sum; bit<128> mul; bit<128> shl; bit<8> less; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.sum = h.d.a + h.d.b; h.d.mul = h.d.a * h.d.b; h.d.shl = h.d.a << 65; h.d.less = h.d.a < h.d.b ? 8w1 : 8w0;
  }
}
#include "end.inc"
