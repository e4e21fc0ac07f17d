// SPDX-License-Identifier: Apache-2.0
// ERROR 3:8 function 'f' does not return a value on every way
bit<8> f(in bool b) {
  if (b) { return 1; } else { }
}
