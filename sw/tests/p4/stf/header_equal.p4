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
    h.d.b = (h.e == h.f) ? 8w1 : 8w0;
    h.e.setValid(); h.d.b[1:1] = (bit<1>)(h.e == h.f);
    h.f.setValid(); h.d.b[2:2] = (bit<1>)(h.e == h.f);
    h.f.v = 1; h.d.b[3:3] = (bit<1>)(h.e == h.f);
    h.e.setInvalid(); h.f.setInvalid();
  }
}
#include "end.inc"
