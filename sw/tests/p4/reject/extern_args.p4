// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 argument 'a' of 'f' is bit<8>, and not bool
extern X { X(); void f(in bit<8> a); }
control d() { X() a; apply {
  a.f(true);
} }
