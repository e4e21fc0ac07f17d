// SPDX-License-Identifier: Apache-2.0
// Constructor parameters of a parser choose what it does.
#include "start.inc"
header data_t { bit<8> a; }
parser sub(packet_in p, out data_t x, inout bit<8> n)(bit<8> step, bool skip) {
  state start { transition select(skip) { true: jump; false: take; } }
  state jump { p.advance(8); transition take; }
  state take { p.extract(x); n = n + step; transition accept; }
}
struct headers { data_t d; data_t e; }
struct meta { bit<8> n; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  sub(3, false) first;
  sub(5, true) second;
  state start { first.apply(p, h.d, m.n); second.apply(p, h.e, m.n); transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = m.n;
  }
}
#include "end.inc"
