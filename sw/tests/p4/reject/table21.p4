// SPDX-License-Identifier: Apache-2.0
// ERROR 5:20 this key has no name for the control plane; write 'exact @name("..")' behind it
#include <core.p4>
control c(in bit<8> a) { 
 table t { key = { a + 1: exact; } actions = { NoAction; } }
 apply { 
 } }
