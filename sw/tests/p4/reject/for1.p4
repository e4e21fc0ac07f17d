// SPDX-License-Identifier: Apache-2.0
// ERROR 5:20 'for' goes over a range, a stack or a list of bit<8>, not bit<8>
control d(inout bit<8> x) { 
 apply { 
  for (bit<8> i in x) { }
 } }
