// SPDX-License-Identifier: Apache-2.0
// ERROR 4:11 '>>' takes a distance of type bit<W>, or a constant, and not int<8>
control c(inout bit<8> x, in int<8> y) { apply { 
 x = x >> y;
} }
