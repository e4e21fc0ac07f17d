// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 '-' where a width should be
header H { 
  bit<0> x; 
  int<-1> y; }
