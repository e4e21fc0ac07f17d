// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  @name("put") action set(bit<8> v) { h.d.r = v; }
  @name(".everywhere.tab") table t { key = { h.d.k: exact @name("key"); } actions = { set; NoAction; } }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
