// SPDX-License-Identifier: Apache-2.0
// ERROR 8:6 'b' is no action of table 't'
#include <core.p4>
control c() { 
  action a() {} action b() {}
  table t { actions = { a; } }
  apply { switch (t.apply().action_run) {
     b: {}
  } } }
