// SPDX-License-Identifier: Apache-2.0
// ERROR 4:20 the value of constant 'x' is known at compile time
control c(inout bit<8> a) {
  const bit<8> x = a;
  apply { a = x; }
}
