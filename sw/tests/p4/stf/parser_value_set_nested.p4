// SPDX-License-Identifier: Apache-2.0
// A value set of a struct with a struct and a tuple in it stands for as many keys as there are fields in all.
#include "start.inc"
header data_t { bit<8> a; bit<16> b; bit<8> c; bit<8> d; }
struct headers { data_t d; }
struct meta { bit<8> r; }
struct inner_t { bit<16> b; }
struct outer_t { bit<8> a; inner_t inner; tuple<bit<8>, bit<8>> pair; }
parser P(packet_in p, out headers h, inout meta m, inout standard_metadata_t s) {
  value_set<outer_t>(4) all;
  state start {
    p.extract(h.d);
    transition select(h.d.a, h.d.b, h.d.c, h.d.d) { all: found; _: accept; }
  }
  state found { m.r = 1; transition accept; }
}
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.a = m.r;
  }
}
#include "end.inc"
