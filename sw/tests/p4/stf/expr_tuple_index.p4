// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    tuple<bit<8>, bit<16>> t = { h.d.a, 16w0x1234 }; h.d.b = t[0] + t[1][7:0];
  }
}
#include "end.inc"
