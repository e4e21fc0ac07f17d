// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    h.d.a = 1;
  }
}
#include "end.inc"
