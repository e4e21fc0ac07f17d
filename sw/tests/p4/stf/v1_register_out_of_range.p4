// SPDX-License-Identifier: Apache-2.0
// A read behind the end leaves its result, a write does nothing.
#include "start.inc"
header data_t { bit<8> i; bit<8> r; bit<8> q; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  register<bit<8>>(4) r;
  apply {
    s.egress_spec = 1;
    r.write((bit<32>)h.d.i, 0x55);
    r.read(h.d.r, (bit<32>)h.d.i);
    r.read(h.d.q, 3);
  }
}
#include "end.inc"
