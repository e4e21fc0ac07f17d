// SPDX-License-Identifier: Apache-2.0
// Parts of a field in select.
#include "start.inc"
header data_t { bit<16> a; }
struct headers { data_t d; }
struct meta { bit<8> r; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.d); transition select(h.d.a[15:12], h.d.a[3:0]) { (4, 5): v4; (6, _): v6; (_, _): accept; } }
  state v4 { m.r = 4; transition accept; }
  state v6 { m.r = 6; transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a[11:4] = m.r;
  }
}
#include "end.inc"
