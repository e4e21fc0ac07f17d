// SPDX-License-Identifier: Apache-2.0
// ERROR 4:11 a shift by a number below 0
control c(inout bit<8> x) { apply { 
 x = x << -1;
} }
