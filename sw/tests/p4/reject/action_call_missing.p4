// SPDX-License-Identifier: Apache-2.0
// ERROR 6:3 'a' takes 1 argument, and gets 0
control d(inout bit<8> x) { 
 action a(bit<8> k) { x = k; }
 apply { 
  a();
 } }
