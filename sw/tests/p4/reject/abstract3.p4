// SPDX-License-Identifier: Apache-2.0
// ERROR 6:11 the abstract method 'f' gives bit<8>, and not bit<9>
extern X { X(); abstract bit<8> f(in bit<8> a); }
control d() { 
  X() x = {
   bit<9> f(in bit<8> a) { return 1; } };
  apply { } }
