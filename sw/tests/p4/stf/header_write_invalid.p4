// SPDX-License-Identifier: Apache-2.0
// A write to a field of an invalid header changes nothing.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; data_t e; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.e.a = 9;
    h.d.a = h.e.a + 1;
    h.e.setValid();
  }
}
#include "end.inc"
