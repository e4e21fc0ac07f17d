// SPDX-License-Identifier: Apache-2.0
// A header may be a local variable; it begins invalid.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    data_t t;
    h.d.b = t.isValid() ? 8w1 : 8w0;
    t = { 7, 8 };
    if (t.isValid() && h.d.a == 1) h.d = t;
  }
}
#include "end.inc"
