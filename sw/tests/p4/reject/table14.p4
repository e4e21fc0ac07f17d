// SPDX-License-Identifier: Apache-2.0
// ERROR 7:10 argument 'z' of 'y' is known at compile time
#include <core.p4>
control c(in bit<8> a) { 
 action y(bit<8> z) {}
 table t { key = { a: ternary; } actions = { y; NoAction; } const entries = {
    1: y(a);
 } } 
 apply { } }
