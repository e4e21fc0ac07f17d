// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 '<' takes numbers, and not E
enum E { a, b }
control c(out bool x) { apply { 
  x = E.a < E.b;
 } }
