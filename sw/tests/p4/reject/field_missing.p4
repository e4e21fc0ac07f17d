// SPDX-License-Identifier: Apache-2.0
// ERROR 5:3 S has no 'b'
struct S { bit<8> a; }
control c(inout S x) { apply { 
  x.b = 1;
} }
