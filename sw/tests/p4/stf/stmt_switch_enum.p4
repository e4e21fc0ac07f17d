// SPDX-License-Identifier: Apache-2.0
// switch over an enum, an error, a bool.
#include "start.inc"
enum e_t { x, y, z }
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { e_t e; }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    if (h.d.k == 1) m.e = e_t.y;
    if (h.d.k == 2) m.e = e_t.z;
    switch (m.e) { e_t.x: { h.d.r = 1; } e_t.y: { h.d.r = 2; } default: { h.d.r = 3; } }
    switch (s.parser_error) { error.NoError: { h.d.r = h.d.r + 0x10; } }
    switch (h.d.k == 2) { true: { h.d.r = h.d.r + 0x20; } false: { } }
  }
}
#include "end.inc"
