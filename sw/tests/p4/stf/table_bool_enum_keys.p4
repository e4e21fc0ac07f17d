// SPDX-License-Identifier: Apache-2.0
// Keys of bool, of an enum with a type and of validity.
#include "start.inc"
enum bit<8> kind_t { a = 1, b = 2 }
header data_t { kind_t k; bit<8> r; }
struct headers { data_t d; data_t e; }
struct meta { bool flag; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a(bit<8> v) { h.d.r = v; }
  table t { key = { h.d.k : exact; m.flag : exact; h.e.isValid() : exact; } actions = { a; }
    const entries = { (kind_t.a, true, false) : a(1); (kind_t.b, false, true) : a(2); (kind_t.b, false, false) : a(3); } default_action = a(0); }
  apply {
    s.egress_spec = 1;
    m.flag = h.d.r == 1;
    if (h.d.r == 2) h.e = { kind_t.a, 0x99 };
    t.apply();
  }
}
#include "end.inc"
