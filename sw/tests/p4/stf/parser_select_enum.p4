// SPDX-License-Identifier: Apache-2.0
// select over an enum and over bool.
#include "start.inc"
enum bit<8> kind_t { a = 1, b = 2 }
header data_t { kind_t k; bit<8> r; }
struct headers { data_t d; }
struct meta { bit<8> r; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.d); transition select(h.d.k, h.d.isValid()) { (kind_t.a, true): first; (kind_t.b, _): second; (_, false): first; _: accept; } }
  state first { m.r = 1; transition accept; }
  state second { m.r = 2; transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.r = m.r;
  }
}
#include "end.inc"
