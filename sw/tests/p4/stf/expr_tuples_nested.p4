// SPDX-License-Identifier: Apache-2.0
// Tuples in tuples, compared and taken apart.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    tuple<bit<8>, tuple<bit<8>, bool>> t = { h.d.a, { h.d.b, true } };
    if (t == { 8w1, { 8w2, true } }) h.d.a = 0xff;
    if (t[1][1]) h.d.b = t[0] + t[1][0];
  }
}
#include "end.inc"
