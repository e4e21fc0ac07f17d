// SPDX-License-Identifier: Apache-2.0
// ERROR 7:6 action 'a' is in the list twice
#include <core.p4>
control c() { 
  action a() {}
  table t { actions = {a; 
     a; } }
 apply { } }
