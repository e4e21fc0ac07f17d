// SPDX-License-Identifier: Apache-2.0
// ERROR 6:5 there is 1 key, and this is for 2
#include <core.p4>
control c(in bit<8> a) { 
 table t { key = { a: exact; } actions = { NoAction; } const entries = {
    (1, 2): NoAction();
 } } 
 apply { } }
