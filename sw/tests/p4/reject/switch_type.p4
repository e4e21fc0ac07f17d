// SPDX-License-Identifier: Apache-2.0
// ERROR 5:6 this label is bit<8>, and not bool
control c(in bit<8> x, in bit<8> y) { 
  apply { switch (x) {
     true: {}
  } } }
