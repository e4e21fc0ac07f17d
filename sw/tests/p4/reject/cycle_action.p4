// SPDX-License-Identifier: Apache-2.0
// ERROR 4:16 unknown name 'y'; a name is declared before it is used
control c(inout bit<8> a) {
  action x() { y(); }
  action y() { x(); }
  apply { }
}
