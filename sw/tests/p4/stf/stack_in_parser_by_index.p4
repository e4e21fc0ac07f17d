// SPDX-License-Identifier: Apache-2.0
// A parser may extract into an element that it names.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t[3] st; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.st[2]); p.extract(h.st[0]); transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.st[0].a = h.st[0].a + 1;
  }
}
#include "end.inc"
