// SPDX-License-Identifier: Apache-2.0
// Structs and headers with type parameters.
#include "start.inc"
struct pair_t<A, B> { A first; B second; }
header box_t<T> { T value; }
struct headers { box_t<bit<8>> d; box_t<bit<16>> e; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    pair_t<bit<8>, bit<16>> p = { h.d.value, 16w0x1234 };
    h.e.setValid();
    h.e.value = p.second + (bit<16>)p.first;
  }
}
#include "end.inc"
