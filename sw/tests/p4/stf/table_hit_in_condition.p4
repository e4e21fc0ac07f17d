// SPDX-License-Identifier: Apache-2.0
// hit and miss within expressions.
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a(bit<8> v) { h.d.r = v; }
  table t { key = { h.d.k : exact; } actions = { a; NoAction; } }
  apply {
    s.egress_spec = 1;
    if (t.apply().hit && h.d.r == 5 || h.d.k == 9) h.d.k = 0xaa;
  }
}
#include "end.inc"
