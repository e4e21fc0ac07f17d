// SPDX-License-Identifier: Apache-2.0
// ERROR 5:3 'push_front' takes one argument, a constant
header H { bit<8> x; }
control c(inout H[3] h, in bit<8> z) { apply { 
  h.push_front();
 } }
