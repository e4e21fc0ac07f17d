// SPDX-License-Identifier: Apache-2.0
// ERROR 7:13 the result of a table has 'hit', 'miss' and 'action_run', and no 'foo'
#include <core.p4>
control c(in bit<8> a) { 
 table t { key = { a: exact; } actions = { NoAction; } }
 apply { 
   bool b = t.apply().foo;
 } }
