// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
error { Mine }
struct headers { data_t d; }
struct meta { bit<8> x; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.d); transition select(h.d.k) { 1: short; 2: own; 3: nomatch; 4: bad; 5: loop; 6: rej; default: accept; } }
  state short { p.advance(800); transition accept; }
  state own { verify(h.d.r == 0, error.Mine); m.x = 0x50; transition accept; }
  state nomatch { transition select(h.d.r) { 0xaa: accept; } }
  state bad { p.advance(3); transition accept; }
  state loop { transition loop; }
  state rej { transition reject; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.k = m.x;
    if (s.parser_error == error.PacketTooShort) h.d.r = 1;
    else if (s.parser_error == error.Mine) h.d.r = 2;
    else if (s.parser_error == error.NoMatch) h.d.r = 3;
    else if (s.parser_error == error.ParserInvalidArgument) h.d.r = 4;
    else if (s.parser_error == error.ParserTimeout) h.d.r = 5;
    else if (s.parser_error == error.NoError) h.d.r = 0;
    else h.d.r = 0xff;
  }
}
#include "end.inc"
