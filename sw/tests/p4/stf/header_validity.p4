// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; }
header other_t { bit<8> v; }
struct headers { data_t d; other_t e; other_t f; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (h.d.a == 1) { h.e.setValid(); h.e.v = 0x31; }
    if (h.d.a == 2) { h.e.v = 0x32; }
    if (h.d.a == 3) { h.e.setValid(); h.e.v = 0x33; h.e.setInvalid(); h.e.setValid(); }
    if (h.d.a == 4) { h.e = { 0x34 }; }
    if (h.d.a == 5) { h.e = h.f; }
    if (h.d.a == 6) { h.f.setValid(); h.f.v = 0x36; h.e = h.f; h.f.setInvalid(); }
  }
}
#include "end.inc"
