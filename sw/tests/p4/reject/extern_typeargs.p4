// SPDX-License-Identifier: Apache-2.0
// ERROR 5:3 'X' needs type arguments, which its arguments do not give; write X<..>
extern X<T> { X(); void f(in T a); }
control d() { 
  X() a;
 apply { } }
