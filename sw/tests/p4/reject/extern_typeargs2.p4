// SPDX-License-Identifier: Apache-2.0
// ERROR 7:7 argument 'a' of 'f' is bit<8>, and not bit<16>; a cast is (bit<8>)
extern X<T> { X(); void f(in T a); }
control d() { 
  X<bit<8>>() a; 
 apply { 
  a.f(16w3);
 } }
