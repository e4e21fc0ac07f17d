// SPDX-License-Identifier: Apache-2.0
// An enum over int<W>.
#include "start.inc"
enum int<8> level_t { low = -2, high = 5 }
header data_t { level_t l; int<8> n; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (h.d.l == level_t.low) h.d.n = h.d.n + level_t.low;
    else h.d.l = level_t.low;
  }
}
#include "end.inc"
