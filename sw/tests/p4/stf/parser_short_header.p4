// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<16> r; }
header other_t { bit<8> v; }
struct headers { data_t d; other_t e; other_t f; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (!h.d.isValid()) { h.f.setValid(); h.f.v = 1; }
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    if (h.f.isValid()) { h.f.v = 0xee; }
  }
}
#include "end.inc"
