// SPDX-License-Identifier: Apache-2.0
// The data may be a struct, a header or one field.
#include "start.inc"
struct s_t { bit<8> x; bit<8> y; }
header data_t { bit<8> a; bit<8> b; bit<16> r; bit<16> q; bit<16> f; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    s_t t = { h.d.a, h.d.b };
    hash(h.d.r, HashAlgorithm.xor16, 16w0, t, 32w65536);
    hash(h.d.f, HashAlgorithm.xor16, 16w0, h.d.a, 32w65536);
    h.d.q = 0;
    hash(h.d.q, HashAlgorithm.xor16, 16w0, h.d, 32w65536);
  }
}
#include "end.inc"
