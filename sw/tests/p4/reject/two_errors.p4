// SPDX-License-Identifier: Apache-2.0
// ERROR 4:18 ';' where an expression should be
// ERROR 5:19 '8' where the name of a field should be
const bit<8> a = ;
struct S { bit<8> 8; bit<4> y; }
