// SPDX-License-Identifier: Apache-2.0
// ERROR 4:17 'S' takes 1 type argument, and gets 0
struct S<T> { T a; }
control c(inout S x) {
 apply { } }
