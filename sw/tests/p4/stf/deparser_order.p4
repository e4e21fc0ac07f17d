// SPDX-License-Identifier: Apache-2.0
#include "start.inc"
header data_t { bit<8> a; }
header other_t { bit<8> v; }
struct headers { data_t d; other_t e; other_t f; }
struct meta {  }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.f.setValid(); h.f.v = 0xff; if (h.d.a == 1) { h.e.setValid(); h.e.v = 0xee; }
  }
}
#define DEPARSER
control D(packet_out p, in headers h) { apply { p.emit(h.f); p.emit(h.d); p.emit(h.e); } }
#include "end.inc"
