// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
control Use(inout bit<8> x)(register<bit<8>> r, bit<32> at) { apply { bit<8> t; r.read(t, at); t = t + 1; r.write(at, t); x = t; } }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  register<bit<8>>(4) shared; Use(shared, 1) one; Use(shared, 1) same; Use(shared, 2) other;
  apply {
    s.egress_spec = 1;
    one.apply(h.d.a); same.apply(h.d.a); other.apply(h.d.b);
  }
}
#include "end.inc"
