// SPDX-License-Identifier: Apache-2.0
// The value of a switch is evaluated once.
#include "start.inc"
bit<8> next(inout bit<8> x) { x = x + 1; return x; }
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    switch (next(h.d.k)) { 1: { h.d.r = 1; } 2: { h.d.r = 2; } 3: { h.d.r = 3; } }
  }
}
#include "end.inc"
