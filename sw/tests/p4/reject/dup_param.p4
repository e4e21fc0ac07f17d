// SPDX-License-Identifier: Apache-2.0
// ERROR 3:37 'a' is declared twice here
control c(inout bit<8> a, in bit<8> a) {
  apply { }
}
