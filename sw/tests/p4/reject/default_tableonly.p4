// SPDX-License-Identifier: Apache-2.0
// ERROR 10:22 'a' is @tableonly, so it is no default
// ERROR 15:34 'b' is @defaultonly, so no entry has it
#include <core.p4>
control c(inout bit<8> x) {
  action a() {}
  action b() {}
  table t {
    actions = { @tableonly a; NoAction; }
    default_action = a;
  }
  table u {
    key = { x : exact; }
    actions = { a; @defaultonly b; }
    const entries = { 1 : a; 2 : b; }
    default_action = b;
  }
  apply { t.apply(); u.apply(); }
}
