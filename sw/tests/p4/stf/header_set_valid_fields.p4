// SPDX-License-Identifier: Apache-2.0
// setValid begins with zeros, and changes nothing on a valid header.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; data_t e; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.e.setValid();
    h.e.b = h.d.a;
    h.e.setValid();
  }
}
#include "end.inc"
