// SPDX-License-Identifier: Apache-2.0
// Queues are empty here: depths and waiting times are 0.
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
  }
}
#define EGRESS
control E(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply { h.d.a = (bit<8>)s.enq_qdepth + (bit<8>)s.deq_qdepth; h.d.b = (bit<8>)s.deq_timedelta; }
}
#include "end.inc"
