// SPDX-License-Identifier: Apache-2.0
// A stack from a list of headers, {#} for one that is not valid.
#include "start.inc"
header data_t { bit<8> a; }
struct headers { data_t d; data_t[3] st; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  apply {
    s.egress_spec = 1;
    h.st = (data_t[3]){ { 1 }, {#}, { h.d.a } };
  }
}
#include "end.inc"
