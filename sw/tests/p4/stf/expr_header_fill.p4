// SPDX-License-Identifier: Apache-2.0
// A header made by a list is valid, by {#} not.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; data_t e; data_t f; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.e = { 1, 2 };
    h.f = { a = 3, ... };
    if (h.d.a == 0) h.d = {#};
  }
}
#include "end.inc"
