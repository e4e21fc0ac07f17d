// SPDX-License-Identifier: Apache-2.0
extern X { X(); abstract bit<8> f(in bit<8> a); bit<8> g(); }
control d() { 
  X() x = { bit<8> f(in bit<8> a) { return a + this.g(); } };
  apply { x.f(1); } }
