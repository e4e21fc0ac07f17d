// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<16> a; bit<16> sum; bit<8> bad; bit<8> pad; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.bad = (bit<8>)s.checksum_error; h.d.a = h.d.a + 1;
  }
}
#define VERIFY
#define COMPUTE
control V(inout headers h, inout meta m) { apply { verify_checksum_with_payload(true, { h.d.a }, h.d.sum, HashAlgorithm.csum16); } }
control C(inout headers h, inout meta m) { apply { update_checksum_with_payload(true, { h.d.a }, h.d.sum, HashAlgorithm.csum16); } }
#include "end.inc"
