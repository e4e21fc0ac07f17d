// SPDX-License-Identifier: Apache-2.0
// ERROR 6:7 a control holds no parser
// ERROR 7:11 a parser is called in parser states, and not in an apply block
parser d(in bit<8> a) { state start { transition accept; } }
control c(in bit<8> a) { 
  d() x;
  apply { x.apply(a); } }
