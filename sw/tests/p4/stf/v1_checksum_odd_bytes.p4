// SPDX-License-Identifier: Apache-2.0
// An odd byte is the high half of the last word.
#include "start.inc"
header data_t { bit<24> a; bit<16> sum; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
  }
}
#define COMPUTE
control C(inout headers h, inout meta m) {
  apply {
    update_checksum(true, { h.d.a }, h.d.sum, HashAlgorithm.csum16);
  }
}
#include "end.inc"
