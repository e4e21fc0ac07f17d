// SPDX-License-Identifier: Apache-2.0
// ERROR 5:5 the index of a stack is a number, and not bool
header H { bit<8> x; }
control c(inout H[3] h, in bool b) { apply { 
  h[b].x = 1;
 } }
