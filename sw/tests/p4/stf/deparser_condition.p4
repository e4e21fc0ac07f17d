// SPDX-License-Identifier: Apache-2.0
// Conditions in a deparser.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; data_t e; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.d); p.extract(h.e); transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
  }
}
#define DEPARSER
control D(packet_out p, in headers h) {
  apply { if (h.d.a == 1) p.emit(h.d); p.emit(h.e); }
}
#include "end.inc"
