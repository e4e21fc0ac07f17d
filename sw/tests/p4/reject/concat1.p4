// SPDX-License-Identifier: Apache-2.0
// ERROR 4:11 '++' takes numbers with a width, as 8w5, and not int
control c(inout bit<8> x) { apply { 
 x = x ++ 1;
} }
