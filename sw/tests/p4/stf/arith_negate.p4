// SPDX-License-Identifier: Apache-2.0
// Unary minus is two's complement, of bit and of int.
#include "start.inc"
header data_t { bit<8> a; int<8> b; bit<8> c; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = -h.d.a;
    h.d.b = -h.d.b;
    h.d.c = +h.d.c;
  }
}
#include "end.inc"
