// SPDX-License-Identifier: Apache-2.0
// Saturating operators of int stop at both ends.
#include "start.inc"
header data_t { int<8> a; int<8> b; int<8> s; int<8> d; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.s = h.d.a |+| h.d.b;
    h.d.d = h.d.a |-| h.d.b;
  }
}
#include "end.inc"
