// SPDX-License-Identifier: Apache-2.0
// A varbit that is no whole byte is ParserInvalidArgument.
#include "start.inc"
header opt_t { bit<8> len; varbit<24> v; }
struct headers { opt_t o; }
struct meta { }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  state start { p.extract(h.o, (bit<32>)p.lookahead<bit<8>>()); transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    s.egress_spec = s.parser_error == error.ParserInvalidArgument ? 9w2 : 9w1;
  }
}
#include "end.inc"
