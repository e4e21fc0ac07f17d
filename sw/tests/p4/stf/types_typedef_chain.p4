// SPDX-License-Identifier: Apache-2.0
// A typedef of a typedef is the type itself.
#include "start.inc"
typedef bit<8> byte_t;
typedef byte_t octet_t;
header data_t { octet_t a; byte_t b; bit<8> c; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.c = h.d.a + h.d.b;
  }
}
#include "end.inc"
