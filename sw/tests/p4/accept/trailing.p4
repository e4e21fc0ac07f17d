// SPDX-License-Identifier: Apache-2.0
enum E { a, b, }
error { X, Y, }
;
struct S { bit<8> x; };
const bit<8> c = 3;;
