// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 the value set is of bit<16>, and the key is bit<8>
parser p(in bit<8> a) { value_set<bit<16>>(4) v; state start { transition select(a) {
  v: accept;
 } } }
