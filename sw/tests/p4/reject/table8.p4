// SPDX-License-Identifier: Apache-2.0
// ERROR 6:5 the key is bit<8>, and not bit<16>; a cast is (bit<8>)
#include <core.p4>
control c(in bit<8> a) { 
 table t { key = { a: exact; } actions = { NoAction; } const entries = {
    16w3: NoAction();
 } } 
 apply { } }
