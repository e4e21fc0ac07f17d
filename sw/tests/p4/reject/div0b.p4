// SPDX-License-Identifier: Apache-2.0
// ERROR 4:21 division by 0
control c(inout bit<8> a) {
  apply { a = 8w5 / 8w0; }
}
