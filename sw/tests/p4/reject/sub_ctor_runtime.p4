// SPDX-License-Identifier: Apache-2.0
// ERROR 4:5 argument 'k' of 'c' is known at compile time
control c(in bit<8> x)(bit<8> k) { apply { } } control d(in bit<8> x) { 
  c(x) i;
  apply { i.apply(1); } }
