// SPDX-License-Identifier: Apache-2.0
// ERROR 5:22 the condition of 'for' is bool, and not bit<8>; write '!= 0'
control d(inout bit<8> x) { 
 apply { 
  for (bit<8> i = 0; x; i = i + 1) { }
 } }
