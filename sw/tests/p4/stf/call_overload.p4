// SPDX-License-Identifier: Apache-2.0
// Functions of one name differ by the number of their parameters.
#include "start.inc"
bit<8> f(in bit<8> a) { return a + 1; }
bit<8> f(in bit<8> a, in bit<8> b) { return a + b; }
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = f(h.d.a);
    h.d.b = f(h.d.a, h.d.b);
  }
}
#include "end.inc"
