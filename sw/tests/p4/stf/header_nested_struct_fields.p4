// SPDX-License-Identifier: Apache-2.0
// Structs in a header stand in their order on the wire.
#include "start.inc"
struct in_t { bit<4> x; bit<4> y; }
header outer_t { in_t p; bit<8> m; in_t q; }
struct headers { outer_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    in_t t = h.d.p;
    h.d.p = h.d.q;
    h.d.q = t;
    h.d.q.x = h.d.q.x + 1;
  }
}
#include "end.inc"
