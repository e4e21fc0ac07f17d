// SPDX-License-Identifier: Apache-2.0
// ERROR 4:16 unknown name 't'; a name is declared before it is used
control d(in bit<8> a) { 
  action x() { t = 1; }
  bit<8> t;
 apply { 
 } }
