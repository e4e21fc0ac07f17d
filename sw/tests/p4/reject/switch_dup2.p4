// SPDX-License-Identifier: Apache-2.0
// ERROR 6:6 this label is there twice
control c(in bit<8> x) { 
  apply { switch (x) {
     1: {} 
     1: {}
  } } }
