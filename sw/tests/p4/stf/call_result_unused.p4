// SPDX-License-Identifier: Apache-2.0
// A call whose result nobody uses does its work.
#include "start.inc"
bit<8> f(inout bit<8> x) { x = x + 1; return 9; }
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    f(h.d.a);
    f(h.d.a);
  }
}
#include "end.inc"
