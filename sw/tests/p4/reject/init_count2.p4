// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 the right side is S, which has 2 members, and this list has 3
struct S { bit<8> a; bit<8> b; }
control c(out S s) { apply { 
  s = { 1, 2, 3 };
 } }
