// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
header other_t { bit<8> v; }
struct headers { data_t d; other_t e; other_t f; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.e.setValid(); h.e.v = 0x5a; h.e.setInvalid(); h.f.v = 0x77; h.d.b = h.e.v + h.f.v;
  }
}
#include "end.inc"
