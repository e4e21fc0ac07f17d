// SPDX-License-Identifier: Apache-2.0
// ERROR 5:5 argument 'b' of 'f' changes, and 'x' is an 'in' parameter
bit<8> f(out bit<8> b) { b = 1; return 1; }
control c(in bit<8> x) { apply { 
  f(x);
} }
