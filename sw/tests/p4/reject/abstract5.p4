// SPDX-License-Identifier: Apache-2.0
// ERROR 6:11 'X' has no abstract method 'f' with 1 parameter
extern X { X(); bit<8> f(in bit<8> a); }
control d() { 
  X() x = {
   bit<8> f(in bit<8> a) { return 1; } };
  apply { } }
