// SPDX-License-Identifier: Apache-2.0
// Headers in nested structs are emitted in their order.
#include "start.inc"
header b_t { bit<8> a; }
struct inner_t { b_t x; b_t y; }
struct headers { b_t d; inner_t i; b_t z; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.z = { 3 }; h.i.y = { 2 };
    if (h.d.a == 1) { inner_t t = h.i; t.x = { 1 }; h.i = t; }
  }
}
#include "end.inc"
