// SPDX-License-Identifier: Apache-2.0
// ERROR 4:2 the upper bound of a slice stands first: [3:1]
control c(inout bit<8> x) { apply { 
 x[1:3] = 1;
} }
