// SPDX-License-Identifier: Apache-2.0
// A header with a varbit is copied with its length.
#include "start.inc"
header opt_t { bit<8> len; varbit<24> v; }
struct headers { opt_t o; opt_t q; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.o, (bit<32>)p.lookahead<bit<8>>() * 8); transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.q = h.o;
    if (h.q == h.o) h.o.len = 0xff;
  }
}
#include "end.inc"
