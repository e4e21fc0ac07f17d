// SPDX-License-Identifier: Apache-2.0
// An action called directly, with directions.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action move(in bit<8> x, out bit<8> y, inout bit<8> z, bit<8> k) { y = x + k; z = z + y; }
  apply {
    s.egress_spec = 1;
    move(h.d.a, h.d.a, h.d.b, 3);
  }
}
#include "end.inc"
