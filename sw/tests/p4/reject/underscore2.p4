// SPDX-License-Identifier: Apache-2.0
// ERROR 5:5 '_' is for out arguments; argument 'a' of 'f' is not one
extern void f(in bit<8> a);
control c(inout bit<8> a) { apply {
  f(_);
} }
