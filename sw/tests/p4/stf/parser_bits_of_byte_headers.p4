// SPDX-License-Identifier: Apache-2.0
// Fields of three headers of two bytes.
#include "start.inc"
header n_t { bit<12> x; bit<4> y; }
struct headers { n_t a; n_t b; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.a); p.extract(h.b); transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    bit<12> t = h.a.x; h.a.x = h.b.x; h.b.x = t;
    h.a.y = h.a.y ^ h.b.y;
  }
}
#include "end.inc"
