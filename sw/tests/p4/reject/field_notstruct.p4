// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 bit<8> has no members, so no 'b'
control c(inout bit<8> x) { apply { 
  x.b = 1;
} }
