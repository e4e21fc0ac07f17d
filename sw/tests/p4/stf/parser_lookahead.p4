// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
header other_t { bit<8> v; }
struct headers { data_t d; other_t e; other_t f; }
struct meta { bit<16> peek; bit<8> more; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { m.peek = p.lookahead<bit<16>>(); transition select(p.lookahead<bit<8>>()) { 0x0a: skip; default: take; } }
  state skip { p.advance(8); transition take; }
  state take { p.extract(h.d); other_t o = p.lookahead<other_t>(); m.more = o.v; transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.k = m.peek[7:0]; h.d.r = m.more;
  }
}
#include "end.inc"
