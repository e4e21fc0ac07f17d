// SPDX-License-Identifier: Apache-2.0
// ERROR 4:10 one side of '?:' needs a width here, as 8w1
control c(inout bit<8> x, in bool b) { apply { 
 x = b ? 1 : 2;
} }
