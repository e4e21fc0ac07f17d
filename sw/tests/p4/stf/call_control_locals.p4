// SPDX-License-Identifier: Apache-2.0
// A control's variables begin anew at each call; externs keep theirs.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control c(inout bit<8> x, inout bit<8> y) {
  bit<8> local = 1;
  register<bit<8>>(1) r;
  apply { local = local + 1; x = local; bit<8> t; r.read(t, 0); t = t + 1; r.write(0, t); y = t; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  c() one;
  c() two;
  apply {
    s.egress_spec = 1;
    one.apply(h.d.a, h.d.b);
    one.apply(h.d.a, h.d.b);
    two.apply(h.d.a, _);
  }
}
#include "end.inc"
