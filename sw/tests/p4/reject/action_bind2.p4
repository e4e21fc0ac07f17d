// SPDX-License-Identifier: Apache-2.0
// ERROR 7:22 'a' takes 2 arguments, and gets 1
control c(inout bit<32> x) {
  action a(inout bit<32> b, bit<32> d) { b = d; }
  table t { 
    actions = { a(x); }
    default_action = a(x);
  }
  apply { t.apply(); }
}
