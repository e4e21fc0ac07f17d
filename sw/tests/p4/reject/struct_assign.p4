// SPDX-License-Identifier: Apache-2.0
// ERROR 6:7 the right side is A, and not B
struct A { bit<8> x; }
struct B { bit<8> x; }
control c(inout A a, in B b) { apply {
  a = b;
} }
