// SPDX-License-Identifier: Apache-2.0
// A loop over a stack has copies.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; data_t[3] st; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.st[0] = { 1 }; h.st[2] = { 5 };
    for (data_t x in h.st) { if (x.isValid()) h.d.a = h.d.a + x.a; x.a = 9; }
  }
}
#include "end.inc"
