// SPDX-License-Identifier: Apache-2.0
// A switch without a label that fits does nothing.
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    switch (h.d.k) { 1: { h.d.r = 1; } 2: 3: { h.d.r = 2; } 4: }
  }
}
#include "end.inc"
