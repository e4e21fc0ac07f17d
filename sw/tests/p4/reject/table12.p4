// SPDX-License-Identifier: Apache-2.0
// ERROR 7:8 action 'y' is not among the actions of this table
#include <core.p4>
control c(in bit<8> a) { 
 action y() {}
 table t { key = { a: ternary; } actions = { NoAction; } const entries = {
    1: y();
 } } 
 apply { } }
