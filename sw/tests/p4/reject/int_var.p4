// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 a variable is not of type int; give it a width: bit<32>
control c() { apply { 
  int x = 3;
 } }
