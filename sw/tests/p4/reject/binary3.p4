// SPDX-License-Identifier: Apache-2.0
// ERROR 5:9 '+' takes numbers ('&&' joins conditions), and not bool
control c(inout bit<8> a, inout bit<16> b, inout int<8> s, inout bool q) {
  apply { 
    q = q + q;
  }
}
