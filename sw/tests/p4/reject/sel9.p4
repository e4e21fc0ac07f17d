// SPDX-License-Identifier: Apache-2.0
// ERROR 5:3 the key is bit<8>, and not bool
// ERROR 5:12 the mask is bit<8>, and not bool
parser p(in bit<8> a) { state start { transition select(a) {
  true &&& false: accept;
 } } }
