// SPDX-License-Identifier: Apache-2.0
// ERROR 4:14 unknown name 'c'; a name is declared before it is used
control d(in bit<8> a) { apply { 
  bit<8> b = c;
 } }
