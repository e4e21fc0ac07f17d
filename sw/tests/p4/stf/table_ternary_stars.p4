// SPDX-License-Identifier: Apache-2.0
// Ternary keys by digits and stars, hexadecimal and binary; the larger priority wins.
#include "start.inc"
header data_t { bit<16> k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a(bit<8> v) { h.d.r = v; }
  table t { key = { h.d.k : ternary; } actions = { a; } default_action = a(0); }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
