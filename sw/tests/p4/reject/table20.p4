// SPDX-License-Identifier: Apache-2.0
// ERROR 6:9 the size of a table is a number that is known at compile time
#include <core.p4>
control c(in bit<8> a) { 
 table t { key = { a: exact; } actions = { NoAction; } 
 size = true; }
 apply { 
 } }
