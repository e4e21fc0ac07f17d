// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { bit<8> x; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  bit<8> seen = 0;
  state start { p.extract(h.d); transition select(h.d.k) { 0x10 &&& 0xf0: a; 0x12: b; _: c; } }
  state a { seen = seen + 1; m.x = seen; transition select(m.x, h.d.k[0:0] == 1) { (1, true): b; default: accept; } }
  state b { if (seen == 1) { m.x = 0x20; } transition accept; }
  state c { m.x = 0x30; transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.r = m.x;
  }
}
#include "end.inc"
