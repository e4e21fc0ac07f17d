// SPDX-License-Identifier: Apache-2.0
// ERROR 5:9 the condition of 'if' is bool, and not bit<8>; write '!= 0'
control c(inout bit<8> a) {
  apply { 
    if (a) a = 1;
  }
}
