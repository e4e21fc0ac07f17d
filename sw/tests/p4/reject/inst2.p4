// SPDX-License-Identifier: Apache-2.0
// ERROR 6:7 an instance is declared outside of apply, actions and states
control d(in bit<8> a) { apply {} }
control c(in bit<8> a) { 
  apply { 
  d() x; x.apply(a);
  } }
