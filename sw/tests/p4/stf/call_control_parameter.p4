// SPDX-License-Identifier: Apache-2.0
// Controls with constructor parameters, one within another.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control inner(inout bit<8> x)(bit<8> k) { apply { x = x + k; } }
control outer(inout bit<8> x)(bit<8> k) { inner(k) i; inner(k + 1) j; apply { i.apply(x); j.apply(x); } }
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  outer(1) o;
  outer(10) q;
  apply {
    s.egress_spec = 1;
    o.apply(h.d.a);
    q.apply(h.d.b);
  }
}
#include "end.inc"
