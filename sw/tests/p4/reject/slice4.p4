// SPDX-License-Identifier: Apache-2.0
// ERROR 4:2 a slice is of a number, and not of bool
control c(inout bool x) { apply { 
 x[0:0] = 1;
} }
