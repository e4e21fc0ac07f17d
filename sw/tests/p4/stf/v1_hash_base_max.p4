// SPDX-License-Identifier: Apache-2.0
// base and max; max 0 gives the base, and the result is cut to its width.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> c; bit<4> d; bit<4> e; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    hash(h.d.b, HashAlgorithm.identity, 8w5, { h.d.a }, 8w10);
    hash(h.d.c, HashAlgorithm.identity, 8w5, { h.d.a }, 8w0);
    hash(h.d.d, HashAlgorithm.identity, 8w0, { h.d.a }, 16w256);
    hash(h.d.e, HashAlgorithm.identity, 4w15, { h.d.a }, 8w2);
  }
}
#include "end.inc"
