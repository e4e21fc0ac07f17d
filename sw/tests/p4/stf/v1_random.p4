// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> ok; bit<8> same; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    bit<8> r = 0; random(r, 8w10, 8w12); h.d.ok = (r >= 10 && r <= 12) ? 8w1 : 8w0;
    bit<8> q = 5; random(q, 8w9, 8w9); h.d.same = q; q = 5; random(q, 8w9, 8w3); h.d.a = q;
  }
}
#include "end.inc"
