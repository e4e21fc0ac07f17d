// SPDX-License-Identifier: Apache-2.0
// action_run tells the default action on a miss.
#include "start.inc"
header data_t { bit<8> k; bit<8> r; }
struct headers { data_t d; }
struct meta { }
#include "parse.inc"
control I(inout headers h, inout meta m, inout standard_metadata_t s) {
  action a() { }
  action b() { }
  table t { key = { h.d.k : exact; } actions = { a; b; } default_action = b; }
  apply {
    s.egress_spec = 1;
    switch (t.apply().action_run) { a: { h.d.r = 1; } b: { h.d.r = 2; } }
  }
}
#include "end.inc"
