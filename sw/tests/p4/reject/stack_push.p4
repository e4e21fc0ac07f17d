// SPDX-License-Identifier: Apache-2.0
// ERROR 5:16 the count of elements is a number that is known at compile time
header H { bit<8> x; }
control c(inout H[3] h, in bit<8> z) { apply { 
  h.push_front(z);
 } }
