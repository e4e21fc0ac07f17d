// SPDX-License-Identifier: Apache-2.0
// ERROR 5:3 the left side changes, and 'h' is a parameter without a direction
header H { bit<8> x; }
parser c(inout H[3] h, out bit<8> z) { state start { 
  h.last = { 1 };
  transition accept;
 } }
