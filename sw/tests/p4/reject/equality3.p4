// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 '==' takes values that can be equal, and not X
extern X { X(); }
control c(out bool x) { X() a; X() b; apply { 
  x = a == b;
 } }
