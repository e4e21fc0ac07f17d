// SPDX-License-Identifier: Apache-2.0
// ERROR 5:16 field 'a' is given twice
struct S { bit<8> a; bit<8> b; }
control c(out S s) { apply { 
  s = { a = 1, a = 2, b = 3 };
 } }
