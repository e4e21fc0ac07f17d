// SPDX-License-Identifier: Apache-2.0
// The algorithm random stays within base and max.
#include "start.inc"
header data_t { bit<8> a; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    hash(h.d.a, HashAlgorithm.random, 8w10, { h.d.r }, 8w5);
    h.d.r = h.d.a >= 10 && h.d.a < 15 ? 8w1 : 8w0;
  }
}
#include "end.inc"
