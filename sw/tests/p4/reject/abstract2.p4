// SPDX-License-Identifier: Apache-2.0
// ERROR 6:7 'x' lacks a body for the abstract method 'f'
// ERROR 7:11 'X' has no abstract method 'g' with 1 parameter
extern X { X(); abstract bit<8> f(in bit<8> a); }
control d() { 
  X() x = {
   bit<8> g(in bit<8> a) { return a; } };
  apply { } }
