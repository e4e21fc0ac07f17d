// SPDX-License-Identifier: Apache-2.0
// ?: groups to the right and only one side is evaluated.
#include "start.inc"
bit<8> up(inout bit<8> n, in bit<8> r) { n = n + 1; return r; }
header data_t { bit<8> a; bit<8> n; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = h.d.a == 0 ? up(h.d.n, 1) : h.d.a == 1 ? up(h.d.n, 2) : 8w9;
  }
}
#include "end.inc"
