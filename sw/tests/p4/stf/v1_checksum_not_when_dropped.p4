// SPDX-License-Identifier: Apache-2.0
// Checksums are computed behind the egress.
#include "start.inc"
header data_t { bit<16> a; bit<16> sum; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { h.d.a = h.d.a + 1; if (h.d.a == 0x11) mark_to_drop(s); }
}
#define COMPUTE
control C(inout headers h, inout meta m) {
  apply {
    update_checksum(true, { h.d.a }, h.d.sum, HashAlgorithm.csum16);
  }
}
#include "end.inc"
