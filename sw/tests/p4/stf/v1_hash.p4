// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<72> data; bit<16> crc16; bit<32> crc32; bit<16> csum; bit<16> xor; bit<16> ident; bit<8> mod; bit<8> zero; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    hash(h.d.crc16, HashAlgorithm.crc16, 16w0, { h.d.data }, 32w0x10000);
    hash(h.d.crc32, HashAlgorithm.crc32, 32w0, { h.d.data }, 64w0x100000000);
    hash(h.d.csum, HashAlgorithm.csum16, 16w0, { h.d.data }, 32w0x10000);
    hash(h.d.xor, HashAlgorithm.xor16, 16w0, { h.d.data }, 32w0x10000);
    hash(h.d.ident, HashAlgorithm.identity, 16w0, { h.d.data[15:0] }, 32w0x10000);
    hash(h.d.mod, HashAlgorithm.identity, 8w0x10, { 8w0x0b }, 8w8);
    hash(h.d.zero, HashAlgorithm.crc32, 8w0x33, { h.d.data }, 8w0);
  }
}
#include "end.inc"
