// SPDX-License-Identifier: Apache-2.0
// ERROR 5:10 '!' takes bool ('~' turns bits), and not bit<8>
control c(inout bit<8> a, inout bit<16> b, inout int<8> s, inout bool q) {
  apply { 
    q = !a;
  }
}
