// SPDX-License-Identifier: Apache-2.0
// A loop over states by a counter.
#include "start.inc"
header item_t { bit<8> v; }
header data_t { bit<8> n;  }
struct headers { data_t d; item_t[4] items; }
struct meta { bit<8> left; bit<8> sum; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.d); m.left = h.d.n; transition check; }
  state check { transition select(m.left) { 0: accept; default: item; } }
  state item { p.extract(h.items.next); m.left = m.left - 1; m.sum = m.sum + h.items.last.v; transition check; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.n = m.sum;
  }
}
#include "end.inc"
