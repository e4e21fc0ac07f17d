// SPDX-License-Identifier: Apache-2.0
// A meter of packets: green, yellow, red, and tokens that come back.
#include "start.inc"
header data_t { bit<8> c; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  meter(2, MeterType.packets) m;
  apply {
    s.egress_spec = 1;
    m.execute_meter(1, h.d.c);
  }
}
#include "end.inc"
