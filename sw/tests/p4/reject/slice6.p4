// SPDX-License-Identifier: Apache-2.0
// ERROR 4:6 the lower bound of this slice is from 0 to 7, and not -1
control c(inout bit<8> x) { apply { 
 x[3:-1] = 1;
} }
