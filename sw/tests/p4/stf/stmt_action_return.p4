// SPDX-License-Identifier: Apache-2.0
// return leaves an action; what follows the call goes on.
#include "start.inc"
header data_t { bit<8> a; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action f() { if (h.d.a == 1) { h.d.r = 1; return; } h.d.r = 2; }
  apply {
    s.egress_spec = 1;
    f();
    h.d.a = 9;
  }
}
#include "end.inc"
