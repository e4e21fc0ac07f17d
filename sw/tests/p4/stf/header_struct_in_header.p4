// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<4> lo; bit<12> mid; bit<8> r; }
struct in_t { bit<4> a; bit<12> b; } header nest_t { in_t s; bit<8> c; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    nest_t n; n.setValid(); n.s.a = h.d.lo; n.s.b = h.d.mid; n.c = 3; in_t k = n.s; n.setInvalid(); h.d.r = n.s.b[7:0] + (bit<8>)k.a + k.b[7:0];
  }
}
#include "end.inc"
