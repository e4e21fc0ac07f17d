// SPDX-License-Identifier: Apache-2.0
// An in parameter is a copy, even of what is written on the way.
#include "start.inc"
bit<8> f(in bit<8> x, inout bit<8> y) { y = y + 1; return x; }
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.b = f(h.d.a, h.d.a);
  }
}
#include "end.inc"
