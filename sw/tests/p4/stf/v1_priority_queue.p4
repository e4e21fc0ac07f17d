// SPDX-License-Identifier: Apache-2.0
// The priority of a packet changes no order here.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    s.priority = h.d.a[2:0];
  }
}
#include "end.inc"
