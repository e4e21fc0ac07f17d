// SPDX-License-Identifier: Apache-2.0
// Data that is no whole byte gets zeros at its low end.
#include "start.inc"
header data_t { bit<12> a; bit<4> p; bit<16> x; bit<16> i; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    hash(h.d.x, HashAlgorithm.xor16, 16w0, { h.d.a }, 32w65536);
    hash(h.d.i, HashAlgorithm.identity, 16w0, { h.d.a }, 32w65536);
  }
}
#include "end.inc"
