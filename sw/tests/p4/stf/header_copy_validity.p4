// SPDX-License-Identifier: Apache-2.0
// A copy of an invalid header makes its target invalid.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; data_t e; data_t f; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.f = h.d;
    h.e.setValid();
    data_t none;
    h.e = none;
    if (h.d.a == 1) h.d = h.e;
  }
}
#include "end.inc"
