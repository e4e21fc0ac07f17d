// SPDX-License-Identifier: Apache-2.0
// What was in a header is gone behind setInvalid.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.setInvalid();
    h.d.setValid();
    h.d.b = 5;
  }
}
#include "end.inc"
