// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 unknown name 'b'; a name is declared before it is used
control d(in bit<8> a) { apply { 
  b = 1;
  bit<8> b;
 } }
