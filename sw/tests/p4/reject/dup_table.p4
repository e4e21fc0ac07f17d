// SPDX-License-Identifier: Apache-2.0
// ERROR 6:9 't' is declared twice here
#include <core.p4>
control c() { 
  table t { actions = {} }
  table t { actions = {} }
 apply { } }
