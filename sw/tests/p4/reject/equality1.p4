// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 '==' takes two of one type, and not A and B
struct A { bit<8> x; } struct B { bit<8> x; }
control c(inout A a, inout B b, out bool x) { apply { 
  x = a == b;
 } }
