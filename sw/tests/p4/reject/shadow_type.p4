// SPDX-License-Identifier: Apache-2.0
// ERROR 5:3 'S' is a type without members such as 'a'
struct S { bit<8> a; }
control c(inout S s) { apply { 
  S.a = 1;
} }
