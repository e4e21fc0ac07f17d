// SPDX-License-Identifier: Apache-2.0
// No case that fits rejects the packet with NoMatch.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; data_t e; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.d); transition select(h.d.a) { 1: more; 2: accept; } }
  state more { p.extract(h.e); transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (s.parser_error == error.NoMatch) h.d.a = 0x4e;
  }
}
#include "end.inc"
