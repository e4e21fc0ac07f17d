// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> i; bit<8> r; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  meter(2, MeterType.packets) met;
  apply {
    s.egress_spec = 1;
    h.d.r = 0x77; met.execute_meter((bit<32>)h.d.i, h.d.r);
  }
}
#include "end.inc"
