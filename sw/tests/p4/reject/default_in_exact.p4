// SPDX-License-Identifier: Apache-2.0
// ERROR 5:5 an exact key is one value in every entry
#include <core.p4>
control c(inout bit<8> x) { table t { key = { x : exact; } actions = { NoAction; } const entries = { 
    default : NoAction(); } }
 apply { } }
