// SPDX-License-Identifier: Apache-2.0
// ERROR 6:19 'NoAction' takes 0 arguments, and gets 1
#include <core.p4>
control c(in bit<8> a) { 
 table t { key = { a: exact; } actions = { NoAction; } 
 default_action = NoAction(3); }
 apply { 
 } }
