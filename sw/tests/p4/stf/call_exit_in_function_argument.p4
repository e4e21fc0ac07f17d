// SPDX-License-Identifier: Apache-2.0
// exit in an action called before the assignment.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action stop() { h.d.b = 7; exit; }
  action go() { h.d.a = 1; if (h.d.b == 0) stop(); h.d.a = 2; }
  apply {
    s.egress_spec = 1;
    go();
    h.d.b = 8;
  }
}
#include "end.inc"
