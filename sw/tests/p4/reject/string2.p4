// SPDX-License-Identifier: Apache-2.0
// ERROR 4:14 variable 'b' is bit<8>, and not string
control d(in bit<8> a) { apply { 
  bit<8> b = "x";
 } }
