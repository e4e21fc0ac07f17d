// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
header other_t { bit<8> v; }
struct headers { data_t d; other_t e; other_t f; }
struct meta { bit<8> x; }
parser Sub(packet_in p, inout headers h) { state start { p.extract(h.e); p.extract(h.f); transition accept; } }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  Sub() sub;
  state start { p.extract(h.d); sub.apply(p, h); m.x = 1; transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.b = m.x; if (s.parser_error == error.PacketTooShort) { h.d.b = 0xee; }
  }
}
#include "end.inc"
