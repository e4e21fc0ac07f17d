// SPDX-License-Identifier: Apache-2.0
// One place for two inout arguments: the right one is written last.
#include "start.inc"
void f(inout bit<8> x, inout bit<8> y) { x = x + 1; y = y + 2; }
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    f(h.d.a, h.d.a);
  }
}
#include "end.inc"
