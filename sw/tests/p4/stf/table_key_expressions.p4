// SPDX-License-Identifier: Apache-2.0
// Keys that are computed have a name.
#include "start.inc"
header data_t { bit<8> k; bit<8> l; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a(bit<8> v) { h.d.r = v; }
  table t { key = { h.d.k + h.d.l : exact @name("sum"); h.d.k[3:0] : exact; h.d.l & 0x0_F0 : exact; h.d.l & 8w0b0_10 : exact; h.d.k ++ h.d.l : ternary @name("both"); } actions = { a; } default_action = a(0); }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
