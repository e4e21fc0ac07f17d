// SPDX-License-Identifier: Apache-2.0
// ERROR 5:23 'foo' is no match kind; there are exact, lpm, ternary, and those of the architecture
#include <core.p4>
control c(in bit<8> a) { 
 table t { key = { a: foo; } actions = {} }
 apply { } }
