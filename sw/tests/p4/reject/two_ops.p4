// SPDX-License-Identifier: Apache-2.0
// ERROR 4:13 ';' where an expression should be
control c(inout bit<8> x) { apply { 
  x = x + + ;
} }
