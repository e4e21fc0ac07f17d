// SPDX-License-Identifier: Apache-2.0
// ERROR 5:4 the value set is of S, and the key is bit<8>
struct S { bit<8> a; bit<16> b; }
parser p(in bit<8> x) { value_set<S>(4) vs; state start { transition select(x) { 
   vs : accept; } } }
