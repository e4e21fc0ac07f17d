// SPDX-License-Identifier: Apache-2.0
// A digest changes nothing of the packet.
#include "start.inc"
struct seen_t { bit<8> a; bit<9> port; }
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    digest<seen_t>(1, { h.d.a, s.ingress_port });
    h.d.a = h.d.a + 1;
  }
}
#include "end.inc"
