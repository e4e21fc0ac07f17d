// SPDX-License-Identifier: Apache-2.0
// ERROR 4:6 the condition of '?:' is bool, and not bit<8>; write '!= 0'
control c(inout bit<8> x) { apply { 
 x = x ? 8w1 : 8w2;
} }
