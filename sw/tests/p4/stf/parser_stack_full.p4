// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
header other_t { bit<8> v; }
struct dummy { bit<8> a; }
struct headers { data_t d; other_t[3] s; }
struct meta {  }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.d); transition loop; }
  state loop { p.extract(h.s.next); transition select(h.s.last.v) { 0: accept; default: loop; } }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.r = s.parser_error == error.StackOutOfBounds ? 8w1 : 8w0;
  }
}
#include "end.inc"
