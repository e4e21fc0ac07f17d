// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bool t; bit<7> pad; int<8> i; bit<8> r; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (h.d.t) { h.d.i = h.d.i >> 1; } else { h.d.i = -h.d.i; } h.d.t = !h.d.t; h.d.r = h.d.i < 0 ? 8w1 : 8w0;
  }
}
#include "end.inc"
