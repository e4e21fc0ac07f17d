// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 there is 1 key, and this is for 2
parser p(in bit<8> a) { state start { transition select(a) {
  (1, 2): accept;
 } } }
