// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 unknown type 'S'; a type is declared before it is used
struct S { 
  S x; }
