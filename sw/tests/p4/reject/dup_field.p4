// SPDX-License-Identifier: Apache-2.0
// ERROR 4:10 field 'a' is declared twice
struct S { bit<8> a; 
  bit<9> a; }
