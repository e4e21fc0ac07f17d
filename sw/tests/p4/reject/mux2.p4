// SPDX-License-Identifier: Apache-2.0
// ERROR 4:6 '?:' takes two of one type, and not bit<8> and bool
control c(inout bit<8> x, in bool b) { apply { 
 x = b ? 8w1 : true;
} }
