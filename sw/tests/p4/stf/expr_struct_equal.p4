// SPDX-License-Identifier: Apache-2.0
// Structs are equal if all fields are.
#include "start.inc"
struct pair_t { bit<8> x; bit<8> y; }
struct deep_t { pair_t p; bool b; }
header data_t { bit<8> a; bit<8> b; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    deep_t p = { { h.d.a, h.d.b }, true };
    deep_t q = { { 1, 2 }, true };
    h.d.r = p == q ? 8w1 : 8w0;
    q.b = false;
    if (p != q) h.d.r = h.d.r + 0x10;
  }
}
#include "end.inc"
