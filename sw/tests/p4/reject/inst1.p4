// SPDX-License-Identifier: Apache-2.0
// ERROR 5:3 'C' is a type of controls; it has no body
control C(in bit<8> a); 
control c(in bit<8> a) { 
  C() x;
  apply { } }
