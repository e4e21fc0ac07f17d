// SPDX-License-Identifier: Apache-2.0
// random is between its bounds, both included.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> c; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    random(h.d.a, 5, 5);
    random(h.d.b, 8w0xf0, 8w0xf1);
    h.d.c = h.d.b >> 1;
    h.d.b = 0;
    random(h.d.b, 8w9, 8w3);
  }
}
#include "end.inc"
