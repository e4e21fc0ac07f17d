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
    h.e.setValid(); h.e.v = 1; h.f.setValid(); h.f.v = 2;
  }
}
#define DEPARSER
control Sub(packet_out p, in other_t x, in data_t y) { apply { p.emit(x); p.emit(y); } }
control D(packet_out p, in headers h) { Sub() sub; apply { sub.apply(p, h.e, h.d); p.emit(h.f); } }
#include "end.inc"
