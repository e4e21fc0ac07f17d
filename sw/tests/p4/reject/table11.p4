// SPDX-License-Identifier: Apache-2.0
// ERROR 6:5 a ternary key is a value with a mask, and no range
#include <core.p4>
control c(in bit<8> a) { 
 table t { key = { a: ternary; } actions = { NoAction; } const entries = {
    1..5: NoAction();
 } } 
 apply { } }
