// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 '==' takes two of one type, and not A and B
header A { bit<8> x; } header B { bit<8> x; }
control c(in A a, in B b, out bool r) { apply { 
  r = a == b;
} }
