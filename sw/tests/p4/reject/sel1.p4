// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 the key is bit<8>, and not bool
parser p(in bit<8> a) { state start { transition select(a) {
  true: accept;
 } } }
