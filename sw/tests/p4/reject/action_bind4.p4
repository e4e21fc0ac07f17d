// SPDX-License-Identifier: Apache-2.0
// ERROR 7:24 argument 'b' of 'a' is not the one in the list of actions
control c(inout bit<32> x, inout bit<32> y) {
  action a(inout bit<32> b, bit<32> d) { b = d; }
  table t { 
    actions = { a(x); }
    default_action = a(y, 3);
  }
  apply { t.apply(); }
}
