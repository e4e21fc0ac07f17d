// SPDX-License-Identifier: Apache-2.0
// ERROR 6:11 there is no cast from bit<8> to S
struct S { bit<8> x; }
control c(inout bit<8> a) {
  apply { 
    S s = (S)a;
  }
}
