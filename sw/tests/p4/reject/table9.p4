// SPDX-License-Identifier: Apache-2.0
// ERROR 6:5 an exact key is one value in every entry
#include <core.p4>
control c(in bit<8> a) { 
 table t { key = { a: exact; } actions = { NoAction; } const entries = {
    1 &&& 3: NoAction();
 } } 
 apply { } }
