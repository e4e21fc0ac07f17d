// SPDX-License-Identifier: Apache-2.0
// A wrong checksum sets checksum_error and drops nothing.
#include "start.inc"
header data_t { bit<16> a; bit<16> sum; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (s.checksum_error == 1) s.egress_spec = 2;
  }
}
#define VERIFY
control V(inout headers h, inout meta m) {
  apply {
    verify_checksum(h.d.a != 0, { h.d.a }, h.d.sum, HashAlgorithm.csum16);
  }
}
#include "end.inc"
