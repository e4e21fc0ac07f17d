// SPDX-License-Identifier: Apache-2.0
// ERROR 4:14 ';' where an expression should be
control d() { apply { 
  bit<8> a = ;
 } }
