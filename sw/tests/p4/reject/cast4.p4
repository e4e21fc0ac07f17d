// SPDX-License-Identifier: Apache-2.0
// ERROR 7:11 there is no cast from H to S
header H { bit<8> x; }
struct S { bit<8> x; }
control c(inout H a) {
  apply { 
    S s = (S)a;
  }
}
