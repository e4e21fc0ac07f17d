// SPDX-License-Identifier: Apache-2.0
// ERROR 6:45 a table without a key has no entries
#include <core.p4>
control c(in bit<8> a) { 
 action y(bit<8> z) {}
 table t { actions = { y; NoAction; } const entries = {
    1: y(1);
 } } 
 apply { } }
