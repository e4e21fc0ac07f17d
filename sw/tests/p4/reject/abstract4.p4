// SPDX-License-Identifier: Apache-2.0
// ERROR 6:23 parameter 'a' of the abstract method is bit<8>, and not bit<9>
extern X { X(); abstract bit<8> f(in bit<8> a); }
control d() { 
  X() x = {
   bit<8> f(in bit<9> a) { return 1; } };
  apply { } }
