// SPDX-License-Identifier: Apache-2.0
// `_` for an out argument that nobody wants.
#include "start.inc"
void f(out bit<8> x, out bit<8> y) { x = 1; y = 2; }
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    f(_, h.d.a);
  }
}
#include "end.inc"
