// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action low(inout bit<8> x, bit<8> by) { x = x + by; } action high(bit<8> v) { low(h.d.a, v); low(h.d.b, 2); low(h.d.a, 1); }
  apply {
    s.egress_spec = 1;
    high(5);
  }
}
#include "end.inc"
