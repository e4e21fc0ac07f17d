// SPDX-License-Identifier: Apache-2.0
// The shortest of several truncations counts; longer ones change nothing.
#include "start.inc"
header data_t { bit<8> n; bit<8> m; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    truncate((bit<32>)h.d.n);
    truncate((bit<32>)h.d.m);
  }
}
#include "end.inc"
