// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> i; bit<8> r; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  register<bit<8>>(4) reg;
  apply {
    s.egress_spec = 1;
    h.d.r = 0x77; reg.read(h.d.r, (bit<32>)h.d.i); reg.write((bit<32>)h.d.i, h.d.r + 1);
  }
}
#include "end.inc"
