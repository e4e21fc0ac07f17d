// SPDX-License-Identifier: Apache-2.0
// Several keys with masks, ranges and anything.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { bit<8> r; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.d); transition select(h.d.a, h.d.b) {
    (1, 2): one; (0x10 &&& 0xf0, _): two; (_, 5 .. 9): three; (default, 0xff): four; default: accept; } }
  state one { m.r = 1; transition accept; }
  state two { m.r = 2; transition accept; }
  state three { m.r = 3; transition accept; }
  state four { m.r = 4; transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = m.r;
  }
}
#include "end.inc"
