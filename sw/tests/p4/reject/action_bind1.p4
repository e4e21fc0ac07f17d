// SPDX-License-Identifier: Apache-2.0
// ERROR 6:17 in the list of actions 'a' takes 1 argument, those with a direction; the others come from the control plane
control c(inout bit<32> x) {
  action a(inout bit<32> b, bit<32> d) { b = d; }
  table t { 
    actions = { a(x, 0); }
    default_action = a(x, 0);
  }
  apply { t.apply(); }
}
