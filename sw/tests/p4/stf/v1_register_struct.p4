// SPDX-License-Identifier: Apache-2.0
// A register may hold structs, with wide fields and headers in them.
#include "start.inc"
header in_t { bit<8> x; }
struct cell_t { bit<8> n; bit<80> wide; in_t i; bool b; }
header data_t { bit<8> op; bit<8> n; bit<80> w; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  register<cell_t>(2) r;
  apply {
    s.egress_spec = 1;
    cell_t c;
    r.read(c, 1);
    if (h.d.op == 1) { c = { h.d.n, h.d.w, { 7 }, true }; r.write(1, c); }
    else if (h.d.op == 2) { c.n = c.n + 1; c.wide = c.wide + 1; r.write(1, c); }
    h.d.n = c.n + (c.i.isValid() ? 8w0x10 : 0) + (c.b ? 8w0x20 : 0);
    h.d.w = c.wide;
  }
}
#include "end.inc"
