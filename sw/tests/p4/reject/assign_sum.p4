// SPDX-License-Identifier: Apache-2.0
// ERROR 5:6 the left side is a variable, a field or an element, which can be assigned to
control c(inout bit<8> a) {
  apply { 
    (a + 1) = 3;
  }
}
