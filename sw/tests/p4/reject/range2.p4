// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 '..' is for numbers, and the key is bool
parser p(in bool a) { state start { transition select(a) {
  true..false: accept;
 } } }
