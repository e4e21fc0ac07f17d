// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 '==' takes two of one type, and not varbit<8> and bit<8>
header A { varbit<8> x; } header B { bit<8> x; }
control c(inout A a, inout B b, out bool x) { apply { 
  x = a.x == b.x;
 } }
