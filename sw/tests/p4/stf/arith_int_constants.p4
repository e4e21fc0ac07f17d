// SPDX-License-Identifier: Apache-2.0
// Numbers without a width are as large as they need to be.
#include "start.inc"
const int big = 1 << 70;
const bit<32> top = (bit<32>)(big >> 40);
const bit<8> low = (bit<8>)((big - 1) >> 66);
header data_t { bit<32> a; bit<8> b; bit<16> c; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = top;
    h.d.b = low;
    h.d.c = (bit<16>)(7 * 7 % 10 + 100 / 3);
  }
}
#include "end.inc"
