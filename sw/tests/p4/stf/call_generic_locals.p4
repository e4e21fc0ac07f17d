// SPDX-License-Identifier: Apache-2.0
// Variables of a type parameter begin with what their type begins with.
#include "start.inc"
T first<T>(in bool c, in T a) { T x; if (c) x = a; return x; }
T outer<T, S>(in S s, in T a) { T y; y = first(s == s, a); T z = first<T>(false, y); return z == y ? a : z; }
struct p_t { bit<8> x; bool b; }
header data_t { bit<8> a; bit<16> b; bit<8> c; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.c = first(h.d.a == 1, h.d.c);
    h.d.b = outer(true, h.d.b);
    p_t q = first(h.d.a == 1, (p_t){ 5, true });
    h.d.a = q.b ? q.x : 0xee;
  }
}
#include "end.inc"
