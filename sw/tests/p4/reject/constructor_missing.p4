// SPDX-License-Identifier: Apache-2.0
// ERROR 5:3 'X' takes 1 argument, and gets 0
extern X { X(bit<8> a); }
control c() {
  X() x;
  apply { }
}
