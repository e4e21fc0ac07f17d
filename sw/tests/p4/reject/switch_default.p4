// SPDX-License-Identifier: Apache-2.0
// ERROR 9:6 'default' is the last label of a 'switch'
#include <core.p4>
control c() { 
  action a() {} action b() {}
  table t { actions = { a; b; } }
  apply { switch (t.apply().action_run) {
     default: {} 
     a: {}
  } } }
