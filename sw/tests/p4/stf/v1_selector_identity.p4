// SPDX-License-Identifier: Apache-2.0
// A selector takes the member by the hash of its keys.
#include "start.inc"
header data_t { bit<8> k; bit<16> f; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a(bit<8> v) { h.d.r = v; }
  action_selector(HashAlgorithm.identity, 32w16, 32w16) sel;
  table t { key = { h.d.k : exact; h.d.f : selector; } actions = { a; NoAction; } implementation = sel; }
  apply {
    s.egress_spec = 1;
    t.apply();
  }
}
#include "end.inc"
