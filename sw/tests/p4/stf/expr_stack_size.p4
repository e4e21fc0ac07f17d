// SPDX-License-Identifier: Apache-2.0
// size of a stack is a constant of 32 bits.
#include "start.inc"
header data_t { bit<32> a; }
struct headers { data_t d; data_t[5] st; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = h.st.size + 1;
  }
}
#include "end.inc"
