// SPDX-License-Identifier: Apache-2.0
// The parser takes one of the members.
#include "start.inc"
header short_t { bit<8> kind; bit<8> x; }
header long_t { bit<8> kind; bit<16> x; bit<8> y; }
header_union opt_t { short_t s; long_t l; }
struct headers { opt_t o; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { transition select(p.lookahead<bit<8>>()) { 1: short; 2: long; default: accept; } }
  state short { p.extract(h.o.s); transition accept; }
  state long { p.extract(h.o.l); transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (h.o.s.isValid()) h.o.l = { 2, (bit<16>)h.o.s.x, 0 };
    else if (h.o.l.isValid()) h.o.s = { 1, h.o.l.y };
  }
}
#include "end.inc"
