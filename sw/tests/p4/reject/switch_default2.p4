// SPDX-License-Identifier: Apache-2.0
// ERROR 6:6 'default' is the last label of a 'switch'
control c(in bit<8> x) { 
  apply { switch (x) {
     default: {} 
     1: {}
  } } }
