// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 the right side is A[2], and not A[3]
header A { bit<8> x; } 
control c(inout A[2] a, in A[3] b) { apply { 
  a = b;
} }
