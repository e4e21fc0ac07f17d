// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    data_t t = h.d; t.a = 9; data_t u = t; t.setInvalid(); h.d.b = t.isValid() ? 8w1 : (u.isValid() ? u.a : 8w0);
  }
}
#include "end.inc"
