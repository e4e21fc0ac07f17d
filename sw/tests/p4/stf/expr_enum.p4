// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; bit<8> b; bit<8> c; }
enum bit<8> Kind { One = 1, Ten = 10, Last = 0xff } enum Colour { Red, Green, Blue }
struct headers { data_t d; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    Kind k = (Kind)h.d.a; Colour col = Colour.Green; h.d.b = k == Kind.Ten ? 8w1 : 8w0; h.d.c = (bit<8>)Kind.Last;
    if (h.d.a == 3) col = Colour.Blue;
    switch (col) { Colour.Green: { h.d.b = h.d.b + 0x10; } Colour.Blue: { h.d.b = h.d.b + 0x20; } }
  }
}
#include "end.inc"
