// SPDX-License-Identifier: Apache-2.0
// A parser within a parser, with an instance for each use.
#include "start.inc"
header data_t { bit<8> a; }
parser sub(packet_in p, out data_t x) { state start { p.extract(x); transition accept; } }
struct headers { data_t d; data_t e; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { sub.apply(p, h.d); transition select(h.d.a) { 0: accept; default: more; } }
  state more { sub.apply(p, h.e); transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (h.e.isValid()) h.e.a = h.e.a + 1;
  }
}
#include "end.inc"
