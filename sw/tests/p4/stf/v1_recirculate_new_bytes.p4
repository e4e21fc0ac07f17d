// SPDX-License-Identifier: Apache-2.0
// A recirculated packet is parsed as it was deparsed.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; data_t e; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.d); transition select(h.d.a) { 9: more; default: accept; } }
  state more { p.extract(h.e); transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (s.instance_type == 4) h.d.b = (bit<8>)s.packet_length;
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { if (s.instance_type == 0 && h.d.a == 1) { h.e = h.d; h.d.a = 9; recirculate_preserving_field_list(0); } }
}
#include "end.inc"
