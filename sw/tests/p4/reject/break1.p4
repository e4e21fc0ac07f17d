// SPDX-License-Identifier: Apache-2.0
// ERROR 5:3 'break' stands in loops
control d(inout bit<8> x) { 
 apply { 
  break;
 } }
