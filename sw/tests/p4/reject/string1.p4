// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 a variable is not of type string
control d(in bit<8> a) { apply { 
  string b = "x";
 } }
