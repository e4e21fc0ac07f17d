// SPDX-License-Identifier: Apache-2.0
// ERROR 4:17 'S' takes 0 type arguments, and gets 1
struct S { bit<8> a; }
control c(inout S<bit<8>> x) {
 apply { } }
