// SPDX-License-Identifier: Apache-2.0
// bool in a header is one bit.
#include "start.inc"
header data_t { bool a; bool b; bit<6> c; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = !h.d.a;
    h.d.b = h.d.a || h.d.b;
  }
}
#include "end.inc"
