// SPDX-License-Identifier: Apache-2.0
// ERROR 4:9 'S' takes 1 type argument, and gets 2
struct S<T> { T a; }
typedef S<bit<8>, bit<8>> q;
