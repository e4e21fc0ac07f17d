// SPDX-License-Identifier: Apache-2.0
// ERROR 4:12 either all arguments have names, or none
control c(inout bit<8> x) { action a(in bit<8> p, in bit<8> q) { } apply { 
  a(p = 1, 2);
} }
