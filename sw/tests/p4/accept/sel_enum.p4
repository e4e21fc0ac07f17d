// SPDX-License-Identifier: Apache-2.0
enum bit<8> K { A = 1, B = 2 } header H { K k; bool b; } error { X }
parser p(in H h) { state start { transition select(h.k, h.b) { (K.A, true): accept; (K.B, _): reject; } } }
