// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> len; }
struct headers { data_t d; }
struct meta { @field_list(2) bit<8> round; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (m.round == 1) { h.d.a = h.d.a + 1; }
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    if (m.round == 0) { m.round = 1; recirculate_preserving_field_list(2); h.d.a = 0x55; } else { h.d.len = s.packet_length[7:0]; }
  }
}
#include "end.inc"
