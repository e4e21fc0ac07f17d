// SPDX-License-Identifier: Apache-2.0
// ERROR 7:7 argument 'k' of 'x' changes, and 'a' is an 'in' parameter
#include <core.p4>
control c(in bit<8> a) { 
 action x(inout bit<8> k) {}
 table t { key = { a: exact; } actions = { 
    x(a); } }
 apply { } }
