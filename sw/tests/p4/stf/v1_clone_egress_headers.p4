// SPDX-License-Identifier: Apache-2.0
// A clone from the egress has the headers as they are at its end.
#include "start.inc"
header data_t { bit<8> a; bit<8> t; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { h.d.t = (bit<8>)s.instance_type; if (s.instance_type == 0) { clone(CloneType.E2E, 1); h.d.a = 0x55; } }
}
#include "end.inc"
