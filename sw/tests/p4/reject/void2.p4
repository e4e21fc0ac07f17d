// SPDX-License-Identifier: Apache-2.0
// ERROR 5:14 variable 'b' is bit<8>, and this call gives nothing
void f() {}
control d(in bit<8> a) { apply { 
  bit<8> b = f();
 } }
