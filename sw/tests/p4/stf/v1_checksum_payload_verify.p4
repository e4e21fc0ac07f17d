// SPDX-License-Identifier: Apache-2.0
// The payload is what the parser did not take.
#include "start.inc"
header data_t { bit<8> a; bit<8> p; bit<16> sum; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.p = (bit<8>)s.checksum_error;
  }
}
#define VERIFY
control V(inout headers h, inout meta m) {
  apply {
    verify_checksum_with_payload(true, { h.d.a, h.d.p }, h.d.sum, HashAlgorithm.csum16);
  }
}
#include "end.inc"
