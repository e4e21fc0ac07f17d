// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<16> a; bit<16> b; bit<16> sum; bit<8> bad; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.bad = (bit<8>)s.checksum_error; h.d.b = h.d.b + 1;
  }
}
#define VERIFY
#define COMPUTE
control V(inout headers h, inout meta m) { apply { verify_checksum(h.d.a != 0, { h.d.a, h.d.b }, h.d.sum, HashAlgorithm.csum16); } }
control C(inout headers h, inout meta m) { apply { update_checksum(h.d.a != 7, { h.d.a, h.d.b }, h.d.sum, HashAlgorithm.csum16); } }
#include "end.inc"
