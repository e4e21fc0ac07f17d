// SPDX-License-Identifier: Apache-2.0
// A checksum in an invalid header is neither verified nor written.
#include "start.inc"
header sum_t { bit<16> sum; }
header data_t { bit<8> a; }
struct headers { data_t d; sum_t e; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = h.d.a + (bit<8>)s.checksum_error;
    if (h.d.a == 1) h.e.setValid();
  }
}
#define VERIFY
control V(inout headers h, inout meta m) {
  apply {
    verify_checksum(true, { h.d.a }, h.e.sum, HashAlgorithm.csum16);
  }
}
#define COMPUTE
control C(inout headers h, inout meta m) {
  apply {
    update_checksum(true, { h.d.a, 8w0 }, h.e.sum, HashAlgorithm.csum16);
  }
}
#include "end.inc"
