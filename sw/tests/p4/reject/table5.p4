// SPDX-License-Identifier: Apache-2.0
// ERROR 7:21 'x' takes 1 argument, and gets 0
#include <core.p4>
control c(in bit<8> a) { 
 action x(bit<8> k) {}
 table t { key = { a: exact; } actions = { NoAction; x; } 
   default_action = x; }
 apply { } }
