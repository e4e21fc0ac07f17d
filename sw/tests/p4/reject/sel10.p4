// SPDX-License-Identifier: Apache-2.0
// ERROR 4:65 'select' is over numbers, bool, enums and errors, not H
header H { bit<8> x; }
parser p(in bit<8> a, in H h) { state start { transition select(h) {
  _: accept; 
 } } }
