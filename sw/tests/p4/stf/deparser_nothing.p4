// SPDX-License-Identifier: Apache-2.0
// A deparser without emit leaves the payload alone.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
  }
}
#define DEPARSER
control D(packet_out p, in headers h) {
  apply { }
}
#include "end.inc"
