// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
control Inc(inout bit<8> x)(bit<8> by) { bit<8> local = 0; apply { local = local + by; x = x + local; } }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  Inc(1) one; Inc(0x10) many;
  apply {
    s.egress_spec = 1;
    one.apply(h.d.a); many.apply(h.d.b); many.apply(h.d.b);
  }
}
#include "end.inc"
