// SPDX-License-Identifier: Apache-2.0
// * before +, + before <<, << before &, and ++ beside +.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<16> c; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.b = 1 + h.d.a * 2 << 1 & 0x1f;
    h.d.c = h.d.a ++ 8w1 + 16w1;
  }
}
#include "end.inc"
