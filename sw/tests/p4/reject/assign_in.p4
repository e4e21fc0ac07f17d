// SPDX-License-Identifier: Apache-2.0
// ERROR 5:5 the left side changes, and 'x' is an 'in' parameter
control c(in bit<32> x) {
  apply { 
    x = 3;
  }
}
