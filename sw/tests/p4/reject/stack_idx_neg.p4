// SPDX-License-Identifier: Apache-2.0
// ERROR 5:5 an index of this stack is from 0 to 2, and not -1
header H { bit<8> x; }
control c(inout H[3] h) { apply { 
  h[-1].x = 1;
 } }
