// SPDX-License-Identifier: Apache-2.0
// A meter without rates is green, an index behind the end changes nothing.
#include "start.inc"
header data_t { bit<8> i; bit<8> c; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  meter(2, MeterType.bytes) m;
  apply {
    s.egress_spec = 1;
    m.execute_meter((bit<32>)h.d.i, h.d.c);
  }
}
#include "end.inc"
