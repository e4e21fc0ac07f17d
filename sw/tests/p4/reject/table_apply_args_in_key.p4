// SPDX-License-Identifier: Apache-2.0
// ERROR 7:4 a table is called in apply blocks, and not in a declaration
#include <core.p4>
control c(inout bit<8> x) { 
 table t { key = { x : exact; } actions = { NoAction; } }
 table u { key = { 
   t.apply().hit : exact @name("a"); } actions = { NoAction; } }
 apply { } }
