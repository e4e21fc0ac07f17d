// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 a struct has no field of type int; 'int' is for constants
struct S { 
  int x; }
