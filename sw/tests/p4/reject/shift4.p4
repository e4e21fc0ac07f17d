// SPDX-License-Identifier: Apache-2.0
// ERROR 4:6 '<<' takes a number with a width if the distance varies, and not int
control c(inout bit<8> x, in bit<8> y) { apply { 
 x = 1 << y;
} }
