// SPDX-License-Identifier: Apache-2.0
// bit<1> and bool, both ways.
#include "start.inc"
header data_t { bit<8> a; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    bool b = (bool)h.d.a[0:0];
    h.d.r = 7w0 ++ (bit<1>)(b && h.d.a[1:1] == 1);
  }
}
#include "end.inc"
