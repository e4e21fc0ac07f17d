// SPDX-License-Identifier: Apache-2.0
// Registers of one bit, of int and of 100 bits.
#include "start.inc"
header data_t { bit<8> a; int<8> b; bit<100> c; bit<4> d; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  register<bit<1>>(2) one;
  register<int<8>>(2) two;
  register<bit<100>>(2) three;
  apply {
    s.egress_spec = 1;
    bit<1> o; one.read(o, 1); one.write(1, h.d.a[0:0]); h.d.a[7:7] = o;
    int<8> t; two.read(t, 0); two.write(0, h.d.b - 1); h.d.b = t;
    bit<100> u; three.read(u, 1); three.write(1, h.d.c + 1); h.d.c = u;
  }
}
#include "end.inc"
