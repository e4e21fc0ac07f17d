// SPDX-License-Identifier: Apache-2.0
// ERROR 5:16 there is no field 'c' in S
struct S { bit<8> a; bit<8> b; }
control c(out S s) { apply { 
  s = { a = 1, c = 2 };
 } }
