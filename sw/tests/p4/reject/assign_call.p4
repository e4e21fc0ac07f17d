// SPDX-License-Identifier: Apache-2.0
// ERROR 6:5 the left side is a variable, a field or an element, which can be assigned to
extern bit<8> f();
control c() {
  apply { 
    f() = 3;
  }
}
