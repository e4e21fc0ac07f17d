// SPDX-License-Identifier: Apache-2.0
// ERROR 4:6 the end of the range is bit<8>, and not bit<16>; a cast is (bit<8>)
parser p(in bit<8> a) { state start { transition select(a) {
  1..16w3: accept;
 } } }
