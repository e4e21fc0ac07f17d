// SPDX-License-Identifier: Apache-2.0
// ERROR 7:6 a table is called in apply blocks, and not in an action
#include <core.p4>
control c() { 
  table t { actions = {} }
  action a() { 
     t.apply();
  }
  apply { } }
