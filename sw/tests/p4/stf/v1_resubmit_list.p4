// SPDX-License-Identifier: Apache-2.0
// A resubmitted packet has its first bytes, the fields of its list and type 6.
#include "start.inc"
header data_t { bit<8> a; bit<8> t; }
struct headers { data_t d; }
struct meta { @field_list(3) bit<8> n; bit<8> lost; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (s.instance_type == 0) { m.n = 7; m.lost = 8; h.d.a = 0xff; resubmit_preserving_field_list(3); }
    else { h.d.t = m.n + m.lost + ((bit<8>)s.instance_type << 4); }
  }
}
#include "end.inc"
