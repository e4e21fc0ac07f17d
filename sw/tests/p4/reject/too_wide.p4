// SPDX-License-Identifier: Apache-2.0
// ERROR 4:7 a width is from 0 to 65535, and not 100000
header H { 
  bit<100000> x; }
