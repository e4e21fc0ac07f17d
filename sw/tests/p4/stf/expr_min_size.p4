// SPDX-License-Identifier: Apache-2.0
// Sizes of types and values are constants.
#include "start.inc"
header v_t { bit<8> n; varbit<64> v; }
header data_t { bit<8> a; bit<8> b; bit<8> c; bit<8> d; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = v_t.minSizeInBits();
    h.d.b = v_t.maxSizeInBytes();
    h.d.c = h.d.minSizeInBytes();
    h.d.d = h.maxSizeInBits();
  }
}
#include "end.inc"
