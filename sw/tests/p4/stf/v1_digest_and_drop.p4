// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action learn() { digest<bit<8>>(1, h.d.a); }
  apply {
    learn(); clone(CloneType.I2E, 1); mark_to_drop(s);
  }
}
#include "end.inc"
