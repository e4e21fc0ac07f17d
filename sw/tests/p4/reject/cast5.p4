// SPDX-License-Identifier: Apache-2.0
// ERROR 5:16 there is no cast from bool to bit<8>
control c(inout bool a) {
  apply { 
    bit<8> s = (bit<8>)a;
  }
}
