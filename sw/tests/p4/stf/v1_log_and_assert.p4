// SPDX-License-Identifier: Apache-2.0
// log_msg, assert and assume let a good packet pass.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    log_msg("a is {} and {}", { h.d.a, s.ingress_port });
    log_msg("nothing");
    assert(h.d.a == 5);
    assume(h.d.isValid());
  }
}
#include "end.inc"
