// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { bit<8> x; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.d); transition select(h.d.k, h.d.r) { (1, _): one; (2, 0x10 .. 0x1f): two; (0x80 &&& 0xf0, 0): three; (3, 3): reject; default: accept; } }
  state one { m.x = 1; transition accept; }
  state two { m.x = 2; transition accept; }
  state three { m.x = 3; transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.r = m.x;
  }
}
#include "end.inc"
