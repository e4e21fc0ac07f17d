// SPDX-License-Identifier: Apache-2.0
// An enum with a type is as wide as its type.
#include "start.inc"
enum bit<4> op_t { add = 1, sub = 2 }
header data_t { op_t op; bit<4> a; bit<8> b; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    switch (h.d.op) {
      op_t.add: { h.d.b = h.d.b + (bit<8>)h.d.a; }
      op_t.sub: { h.d.b = h.d.b - (bit<8>)h.d.a; h.d.op = op_t.add; }
      default: { h.d.b = 0; }
    }
  }
}
#include "end.inc"
