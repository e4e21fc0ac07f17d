// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 the right side is E, and not bit<8>; a cast is (E)
enum bit<8> E { a = 1 }
control c(out E x) { apply { 
  x = E.a + 1;
 } }
