// SPDX-License-Identifier: Apache-2.0
// ERROR 4:8 the upper bound of this slice is from 0 to 7, and not 8
control c(inout bit<8> x) { apply { 
 x = x[8:1];
} }
