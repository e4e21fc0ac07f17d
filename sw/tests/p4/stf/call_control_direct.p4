// SPDX-License-Identifier: Apache-2.0
// A control applied by its type.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control inc(inout bit<8> x) { apply { x = x + 1; } }
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    inc.apply(h.d.a);
    inc.apply(h.d.a);
  }
}
#include "end.inc"
