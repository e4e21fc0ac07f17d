// SPDX-License-Identifier: Apache-2.0
// ERROR 7:4 apply() of a table takes no arguments
#include <core.p4>
control c(in bit<8> a) { 
 table t { key = { a: exact; } actions = { NoAction; } }
 apply { 
   t.apply(3);
 } }
