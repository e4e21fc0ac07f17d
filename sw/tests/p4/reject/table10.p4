// SPDX-License-Identifier: Apache-2.0
// ERROR 6:5 the mask of an lpm key has its ones in front
#include <core.p4>
control c(in bit<8> a) { 
 table t { key = { a: lpm; } actions = { NoAction; } const entries = {
    1 &&& 5: NoAction();
 } } 
 apply { } }
