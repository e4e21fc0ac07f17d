// SPDX-License-Identifier: Apache-2.0
// ERROR 7:24 a table is called in apply blocks, and not in an action
#include <core.p4>
control c() { 
  action a() {} action b() {}
  table t { actions = { a; b; } }
  action q() { switch (t.apply().action_run) {
     a: {} 
  } } 
  apply { } }
