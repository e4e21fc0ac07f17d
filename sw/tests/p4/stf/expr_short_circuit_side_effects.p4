// SPDX-License-Identifier: Apache-2.0
// && and || leave out calls that do not count.
#include "start.inc"
bool seen(inout bit<8> n, in bool r) { n = n + 1; return r; }
header data_t { bit<8> a; bit<8> n; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    bool t = h.d.a == 1 && seen(h.d.n, true) || seen(h.d.n, false);
    h.d.a = t ? 8w1 : 8w0;
  }
}
#include "end.inc"
