// SPDX-License-Identifier: Apache-2.0
// The custom algorithms are those without that name, until they are set.
#include "start.inc"
header data_t { bit<72> a; bit<16> b; bit<32> c; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    hash(h.d.b, HashAlgorithm.crc16_custom, 16w0, { h.d.a }, 32w65536);
    hash(h.d.c, HashAlgorithm.crc32_custom, 32w0, { h.d.a }, 64w0x100000000);
  }
}
#include "end.inc"
