// SPDX-License-Identifier: Apache-2.0
// A header that is extracted again has the new bytes.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.d); transition select(h.d.a) { 0: start; default: accept; } }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
  }
}
#include "end.inc"
