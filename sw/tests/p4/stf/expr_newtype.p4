// SPDX-License-Identifier: Apache-2.0
// A new type has its base's values by a cast.
#include "start.inc"
type bit<8> id_t;
type id_t inner_t;
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { id_t i; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    m.i = (id_t)h.d.a;
    inner_t n = (inner_t)m.i;
    if (m.i == (id_t)8w5) h.d.b = (bit<8>)(id_t)n + 1;
  }
}
#include "end.inc"
