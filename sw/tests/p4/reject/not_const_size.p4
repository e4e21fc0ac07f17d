// SPDX-License-Identifier: Apache-2.0
// ERROR 5:10 the size of a table is a number that is known at compile time
#include <core.p4>
control c(in bit<32> n) { table t { actions = { NoAction; } 
  size = n; }
 apply { } }
