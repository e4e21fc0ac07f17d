// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 'last' of a stack is known in parsers alone
header H { bit<8> x; }
control c(inout H[3] h, out bit<8> z) { apply { 
  z = h.last.x;
 } }
