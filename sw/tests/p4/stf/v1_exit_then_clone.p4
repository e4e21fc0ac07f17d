// SPDX-License-Identifier: Apache-2.0
// exit ends the ingress; what was asked for is done.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action stop() { clone(CloneType.I2E, 1); s.egress_spec = 2; exit; }
  apply {
    s.egress_spec = 1;
    if (h.d.a == 1) stop();
    h.d.a = 0xff;
  }
}
#include "end.inc"
