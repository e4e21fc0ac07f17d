// SPDX-License-Identifier: Apache-2.0
// ERROR 5:3 an argument of 'f' is missing
bit<8> f(in bit<8> a = 3, in bit<8> b) { return b; } 
control d() { apply { 
  f(1);
 } }
