// SPDX-License-Identifier: Apache-2.0
// return and exit leave a loop.
#include "start.inc"
bit<8> first(in bit<8> x) { for (bit<8> i in 0 .. 7) { if (x[0:0] == 1) return i; } return 0xff; }
bit<8> log2(in bit<8> x) { bit<8> y = x; for (bit<8> i = 0; i < 8; i += 1) { if (y & 1 == 1) { return i; } y = y >> 1; } return 0xff; }
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.b = log2(h.d.a);
    h.d.a = first(h.d.a);
  }
}
#include "end.inc"
