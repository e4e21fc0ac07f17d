// SPDX-License-Identifier: Apache-2.0
// ERROR 4:19 division by 0
control c(inout bit<8> a) {
  apply { a = 5 / 0; }
}
