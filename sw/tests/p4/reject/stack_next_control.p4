// SPDX-License-Identifier: Apache-2.0
// ERROR 5:3 'next' of a stack is known in parsers alone
header H { bit<8> x; }
control c(inout H[3] h) { apply { 
  h.next.x = 1;
 } }
