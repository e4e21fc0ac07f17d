// SPDX-License-Identifier: Apache-2.0
// A function with a type parameter.
#include "start.inc"
T pick<T>(in bool c, in T a, in T b) { if (c) return a; return b; }
header data_t { bit<8> a; bit<16> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = pick(h.d.a == 0, 8w1, 8w2);
    h.d.b = pick<bit<16>>(h.d.b == 0, 0x1111, h.d.b);
  }
}
#include "end.inc"
