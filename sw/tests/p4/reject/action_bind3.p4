// SPDX-License-Identifier: Apache-2.0
// ERROR 6:17 'a' takes 1 argument, and gets 0
control c(inout bit<32> x) {
  action a(inout bit<32> b, bit<32> d) { b = d; }
  table t { 
    actions = { a; }
    default_action = a(x, 3);
  }
  apply { t.apply(); }
}
