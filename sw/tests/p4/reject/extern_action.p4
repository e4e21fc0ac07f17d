// SPDX-License-Identifier: Apache-2.0
// ERROR 5:3 'X' has no method 'g'
extern X { X(); void f(); }
control d() { X() a; apply {
  a.g();
} }
