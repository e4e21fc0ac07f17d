// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<16> a; bit<16> one; bit<16> two; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = 0x0ff0;
  }
}
#define COMPUTE
control C(inout headers h, inout meta m) { apply { update_checksum(true, { h.d.a }, h.d.one, HashAlgorithm.csum16); update_checksum(true, { h.d.one }, h.d.two, HashAlgorithm.csum16); } }
#include "end.inc"
