// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> c; }
bool touch(inout bit<8> x, in bool r) { x = x + 1; return r; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (h.d.a == 1 && touch(h.d.b, true)) { h.d.c = 1; }
    if (h.d.a == 1 || touch(h.d.b, false)) { h.d.c = h.d.c + 0x10; }
  }
}
#include "end.inc"
