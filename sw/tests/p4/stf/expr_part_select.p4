// SPDX-License-Identifier: Apache-2.0
// [low +: width] with a position that varies.
#include "start.inc"
header data_t { bit<16> a; bit<8> i; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.r = 4w0 ++ h.d.a[h.d.i +: 4];
    h.d.a[h.d.i +: 4] = 0xf;
  }
}
#include "end.inc"
