// SPDX-License-Identifier: Apache-2.0
// ERROR 4:19 the size of a stack is from 1 to 65536, and not -3
header H { bit<8> x; }
control c(inout H[-3] h) {
apply { 
 } }
