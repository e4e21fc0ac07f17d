// SPDX-License-Identifier: Apache-2.0
// An enum without a type is compared and kept in metadata.
#include "start.inc"
enum colour_t { red, green, blue }
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { colour_t c; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (m.c == colour_t.red) h.d.a = h.d.a + 1;
    m.c = h.d.a > 5 ? colour_t.blue : colour_t.green;
    if (m.c == colour_t.blue) h.d.a = 0xbb;
  }
}
#include "end.inc"
