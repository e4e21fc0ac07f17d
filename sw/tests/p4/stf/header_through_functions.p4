// SPDX-License-Identifier: Apache-2.0
// A header goes into a function and back, with its valid bit.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; data_t e; }
struct meta { }
#include "parse.inc"
void turn(inout data_t x, out data_t y) { y = x; x.setInvalid(); }
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (h.d.a == 1) turn(h.d, h.e);
    else turn(h.e, h.d);
  }
}
#include "end.inc"
