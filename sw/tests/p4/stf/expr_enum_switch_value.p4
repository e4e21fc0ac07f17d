// SPDX-License-Identifier: Apache-2.0
// An enum with a type holds any number of its type.
#include "start.inc"
enum bit<8> kind_t { low = 1, high = 200 }
header data_t { kind_t k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.d.r = 0;
    if (h.d.k == kind_t.high) h.d.r = 2;
    if (h.d.k == kind_t.low) h.d.r = 1;
    if ((bit<8>)h.d.k > kind_t.low) h.d.r = h.d.r + 0x10;
    if (h.d.k == (kind_t)7) h.d.k = kind_t.low;
  }
}
#include "end.inc"
