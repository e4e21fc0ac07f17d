// SPDX-License-Identifier: Apache-2.0
// ERROR 7:21 default action 'x' is not among the actions of this table
#include <core.p4>
control c(in bit<8> a) { 
 action x() {}
 table t { key = { a: exact; } actions = { NoAction; } 
   default_action = x; }
 apply { } }
