// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 'x' lacks a body for the abstract method 'f'
extern X { X(); abstract bit<8> f(in bit<8> a); }
control d() { 
  X() x;
  apply { } }
