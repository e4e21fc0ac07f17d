// SPDX-License-Identifier: Apache-2.0
// Each place where a type is applied has an instance of its own.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control count(out bit<8> n) { register<bit<8>>(1) r; apply { r.read(n, 0); n = n + 1; r.write(0, n); } }
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (h.d.a == 1) { count.apply(h.d.b); count.apply(h.d.a); } else count.apply(h.d.b);
  }
}
#include "end.inc"
