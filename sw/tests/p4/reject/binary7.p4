// SPDX-License-Identifier: Apache-2.0
// ERROR 5:9 '<' takes two of one type, and not bit<8> and int<8>; a cast is (int<8>)
control c(inout bit<8> a, inout bit<16> b, inout int<8> s, inout bool q) {
  apply { 
    q = a < s;
  }
}
