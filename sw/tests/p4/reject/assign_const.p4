// SPDX-License-Identifier: Apache-2.0
// ERROR 6:5 the left side changes, and 'k' is a constant
const bit<8> k = 1;
control c(inout bit<8> a) {
  apply { 
    k = 3;
  }
}
