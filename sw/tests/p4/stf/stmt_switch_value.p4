// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    switch (h.d.a) { 1: 2: { h.d.b = 0x12; } 3: { h.d.b = 3; } default: { h.d.b = 0xdd; } }
  }
}
#include "end.inc"
