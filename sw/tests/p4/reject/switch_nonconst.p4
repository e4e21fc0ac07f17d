// SPDX-License-Identifier: Apache-2.0
// ERROR 5:6 a label of 'switch' is known at compile time
control c(in bit<8> x, in bit<8> y) { 
  apply { switch (x) {
     y: {}
  } } }
