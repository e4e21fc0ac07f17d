// SPDX-License-Identifier: Apache-2.0
// verify rejects with the program's own error.
#include "start.inc"
error { Odd, Large }
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.d); verify(h.d.a < 0x80, error.Large); verify(h.d.a & 1 == 0, error.Odd); transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (s.parser_error == error.Odd) h.d.a = 0x11;
    else if (s.parser_error == error.Large) h.d.a = 0x22;
  }
}
#include "end.inc"
