// SPDX-License-Identifier: Apache-2.0
// ERROR 4:6 parser 'p' has no state 'foo'
parser p(in bit<8> a) { state start { transition select(a) {
  1: foo;
 } } }
