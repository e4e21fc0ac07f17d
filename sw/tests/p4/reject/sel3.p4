// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 there are 2 keys, and this is for 1
parser p(in bit<8> a) { state start { transition select(a, a) {
  1: accept;
 } } }
