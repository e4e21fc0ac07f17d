// SPDX-License-Identifier: Apache-2.0
// ERROR 5:4 the left side changes, and 'k' is a parameter without a direction
control d(inout bit<8> x) { 
 action a(bit<8> k) { 
   k = 1; }
 apply { a(1); } }
