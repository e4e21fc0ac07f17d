// SPDX-License-Identifier: Apache-2.0
// Action data of many bits, and of bool and enum.
#include "start.inc"
enum bit<8> kind_t { a = 1, b = 2 }
header data_t { bit<8> k; bit<96> w; bit<8> r; kind_t e; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a(bit<96> w, bool b, kind_t e) { h.d.w = w; h.d.r = b ? 8w1 : 8w2; h.d.e = e; }
  table t { key = { h.d.k : exact; } actions = { a; NoAction; } }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
