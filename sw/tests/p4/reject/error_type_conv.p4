// SPDX-License-Identifier: Apache-2.0
// ERROR 4:7 the right side is bit<8>, and not error
error { A } control c(out bit<8> x) { apply { 
  x = error.A;
} }
