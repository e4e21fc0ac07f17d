// SPDX-License-Identifier: Apache-2.0
// Two updates, the second one sees what the first one wrote.
#include "start.inc"
header data_t { bit<16> a; bit<16> x; bit<16> y; }
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
    update_checksum(true, { h.d.a }, h.d.x, HashAlgorithm.csum16);
    update_checksum(h.d.a[0:0] == 1, { h.d.a, h.d.x }, h.d.y, HashAlgorithm.xor16);
  }
}
#include "end.inc"
