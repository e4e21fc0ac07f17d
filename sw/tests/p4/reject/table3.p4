// SPDX-License-Identifier: Apache-2.0
// ERROR 5:44 unknown action 'foo'; an action is declared before the table
#include <core.p4>
control c(in bit<8> a) { 
 table t { key = { a: exact; } actions = { foo; } }
 apply { } }
