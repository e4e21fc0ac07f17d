// SPDX-License-Identifier: Apache-2.0
// ERROR 5:3 the left side is a variable, a field or an element, which can be assigned to
extern X { X(); }
control d() { X() a; X() b; apply {
  a = b;
} }
