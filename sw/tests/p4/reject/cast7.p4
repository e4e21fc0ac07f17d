// SPDX-License-Identifier: Apache-2.0
// ERROR 6:16 there is no cast from X to bit<8>
enum X { a }
control c(inout bool a) {
  apply { 
    bit<8> s = (bit<8>)X.a;
  }
}
