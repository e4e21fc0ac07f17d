// SPDX-License-Identifier: Apache-2.0
// A field of an invalid header is 0 in a key.
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; data_t e; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a(bit<8> v) { h.d.r = v; }
  table t { key = { h.e.k : exact; h.e.isValid() : ternary; } actions = { a; NoAction; } }
  apply {
    s.egress_spec = 1;
    if (h.d.k == 1) h.e = { 0, 0 };
    t.apply();
  }
}
#include "end.inc"
