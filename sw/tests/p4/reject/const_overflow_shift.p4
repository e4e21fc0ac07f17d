// SPDX-License-Identifier: Apache-2.0
// ERROR 4:3 a shift by a number below 0
const bit<8> x = 1 << 
  -1;
