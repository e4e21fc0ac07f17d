// SPDX-License-Identifier: Apache-2.0
// A packet that is dropped has made its clone.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    clone(CloneType.I2E, 1);
    mark_to_drop(s);
  }
}
#include "end.inc"
