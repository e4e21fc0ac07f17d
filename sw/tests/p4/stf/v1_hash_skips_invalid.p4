// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<32> h1; bit<32> h2; }
header other_t { bit<16> v; }
struct headers { data_t d; other_t e; other_t f; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    hash(h.d.h1, HashAlgorithm.crc32, 32w0, { h.d.a, h.e.v, h.d.a }, 64w0x100000000);
    hash(h.d.h2, HashAlgorithm.crc32, 32w0, { h.d.a, h.d.a }, 64w0x100000000);
    h.d.h1 = h.d.h1 ^ h.d.h2;
  }
}
#include "end.inc"
