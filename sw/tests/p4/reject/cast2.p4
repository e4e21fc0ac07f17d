// SPDX-License-Identifier: Apache-2.0
// ERROR 5:17 a cast from bit<8> to int<16> changes width and sign; it takes two casts
control c(inout bit<8> a) {
  apply { 
    int<16> b = (int<16>)a;
  }
}
