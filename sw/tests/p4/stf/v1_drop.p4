// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (h.d.a == 1) { mark_to_drop(s); }
    if (h.d.a == 2) { mark_to_drop(s); s.egress_spec = 2; }
    if (h.d.a == 3) { s.egress_spec = 511; }
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    if (h.d.a == 4) mark_to_drop(s);
  }
}
#include "end.inc"
