// SPDX-License-Identifier: Apache-2.0
// ERROR 7:13 variable 'b' is bool, and not the result of a table
#include <core.p4>
control c(in bit<8> a) { 
 table t { key = { a: exact; } actions = { NoAction; } }
 apply { 
   bool b = t.apply();
 } }
