// SPDX-License-Identifier: Apache-2.0
// ERROR 4:6 a width that is no number stands in brackets: <(x)>
control c(in bit<8> x) { apply { 
 bit<x> b;
} }
