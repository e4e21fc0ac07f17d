// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<80> v; bit<80> r; bit<8> n; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  register<bit<80>>(2) reg; register<int<8>>(1) small;
  apply {
    s.egress_spec = 1;
    reg.read(h.d.r, 1); reg.write(1, h.d.v); int<8> k; small.read(k, 0); k = k - 1; small.write(0, k); h.d.n = (bit<8>)(k >> 1);
  }
}
#include "end.inc"
