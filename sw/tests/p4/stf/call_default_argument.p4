// SPDX-License-Identifier: Apache-2.0
// Parameters with a default may be left out.
#include "start.inc"
bit<8> add(in bit<8> a, in bit<8> b = 5) { return a + b; }
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.b = add(h.d.a, 1) + add(h.d.a) + add(b = 2, a = h.d.a);
  }
}
#include "end.inc"
