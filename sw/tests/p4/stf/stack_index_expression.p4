// SPDX-License-Identifier: Apache-2.0
// The index of an out argument is the one before the call.
#include "start.inc"
header data_t { bit<8> i; bit<8> r; }
struct headers { data_t d; data_t[3] st; }
struct meta { }
#include "parse.inc"
void both(out bit<8> x, out bit<8> y) { x = 2; y = 0x44; }
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.st[0] = { 0, 0 }; h.st[1] = { 1, 0 }; h.st[2] = { 2, 0 };
    both(h.d.i, h.st[h.d.i].r);
  }
}
#include "end.inc"
