// SPDX-License-Identifier: Apache-2.0
// ERROR 5:5 argument 'a' of 'X' is known at compile time
extern X { X(bit<8> a); }
control c(in bit<8> a) {
  X(a) x;
  apply { }
}
