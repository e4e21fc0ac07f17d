// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
bit<8> inc(in bit<8> x) { return x + 1; } bit<8> twice(in bit<8> x) { bit<8> y = inc(x); return inc(y); }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.b = twice(twice(h.d.a)) + inc(inc(h.d.a));
  }
}
#include "end.inc"
