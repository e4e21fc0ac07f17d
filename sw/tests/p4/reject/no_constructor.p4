// SPDX-License-Identifier: Apache-2.0
// ERROR 5:3 'X' has no constructor: no instance of it can be made
extern X { void f(); }
control c(in bit<8> a) {
  X() x;
  apply { x.f(); }
}
