// SPDX-License-Identifier: Apache-2.0
// ERROR 4:4 the upper bound of this slice is a number that is known at compile time
control c(inout bit<8> x, in bit<3> y) { apply { 
 x[y:0] = 1;
} }
