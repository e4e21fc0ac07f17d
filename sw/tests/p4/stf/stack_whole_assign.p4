// SPDX-License-Identifier: Apache-2.0
// A stack is copied as a whole, with what is valid.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; data_t[2] st; data_t[2] other; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.st[1] = h.d;
    h.other = h.st;
    h.st[0] = { 7 };
    h.d.a = h.st == h.other ? 8w1 : 8w0;
  }
}
#include "end.inc"
