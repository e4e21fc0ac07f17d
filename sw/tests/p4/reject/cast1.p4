// SPDX-License-Identifier: Apache-2.0
// ERROR 5:14 there is no cast from bit<8> to bool
control c(inout bit<8> a) {
  apply { 
    bool b = (bool)a;
  }
}
