// SPDX-License-Identifier: Apache-2.0
// ERROR 6:4 a table has 'key' once
#include <core.p4>
control c(in bit<8> a) { 
 table t { key = { a: exact; } actions = { NoAction; } 
   key = { a: exact; } }
 apply { } }
