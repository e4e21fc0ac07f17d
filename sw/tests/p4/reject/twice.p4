// SPDX-License-Identifier: Apache-2.0
// ERROR 10:14 'a' is declared twice
// ERROR 11:29 field 'x' is declared twice
// ERROR 12:16 member 'p' is declared twice
// ERROR 13:14 error 'One' is declared twice
// ERROR 14:34 'v' is declared twice
// ERROR 14:61 'n' is declared twice
// ERROR 14:94 'l' is declared twice
const bit<8> a = 1;
const bit<8> a = 2;
struct S { bit<8> x; bit<4> x; }
enum E { p, q, p }
error { One, One }
control c(in bit<8> v, in bit<8> v) { action n() { } action n() { } apply { bit<8> l; bit<8> l; } }
