// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; }
header other_t { bit<16> v; }
struct headers { data_t d; other_t e; other_t f; }
struct meta {  }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) { state start { p.extract<other_t>(_); p.extract(h.d); transition accept; } }
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = h.d.a + 1;
  }
}
#include "end.inc"
