// SPDX-License-Identifier: Apache-2.0
// ERROR 4:15 '/' takes numbers without a sign, and not int<8>
control c(inout int<8> a) {
  apply { a = a / 8s2; }
}
