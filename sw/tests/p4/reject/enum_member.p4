// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 enum E has no 'c'
enum E { a, b }
control c(out E x) { apply { 
  x = E.c;
 } }
