// SPDX-License-Identifier: Apache-2.0
// ERROR 6:7 a parser holds no control
// ERROR 8:5 a control is called in apply blocks, and not in a parser
control d(in bit<8> a) { apply {} }
parser c(in bit<8> a) { 
  d() x;
  state start { 
    x.apply(a);
  transition accept; } }
