// SPDX-License-Identifier: Apache-2.0
// error values are kept and compared.
#include "start.inc"
error { Mine, Other }
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { error e; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (m.e == error.NoError) h.d.a = h.d.a + 1;
    m.e = error.Other;
    if (m.e != error.Mine && m.e == error.Other) h.d.a = h.d.a + 0x10;
  }
}
#include "end.inc"
