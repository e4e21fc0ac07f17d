// SPDX-License-Identifier: Apache-2.0
// ERROR 6:20 a key of kind exact is a number, and not H; name a field, or isValid()
#include <core.p4>
header H { bit<8> x; }
control c(in H a) { 
 table t { key = { a: exact; } actions = { NoAction; } }
 apply { } }
