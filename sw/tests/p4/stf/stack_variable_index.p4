// SPDX-License-Identifier: Apache-2.0
// An index from the packet; what is out of range is neither read nor written.
#include "start.inc"
header data_t { bit<8> i; bit<8> r; }
struct headers { data_t d; data_t[3] st; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.st[1] = { 1, 0x11 };
    h.st[h.d.i].r = 0x77;
    h.d.r = h.st[h.d.i].r;
    h.st[h.d.i + 1].setValid();
  }
}
#include "end.inc"
