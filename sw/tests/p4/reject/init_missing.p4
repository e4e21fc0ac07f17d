// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 field 'b' of S is missing; '...' stands for default values
struct S { bit<8> a; bit<8> b; }
control c(out S s) { apply { 
  s = { a = 1 };
 } }
