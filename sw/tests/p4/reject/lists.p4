// SPDX-License-Identifier: Apache-2.0
// ERROR 12:14 constant 's1' is S, which has 2 members, and this list has 1
// ERROR 13:14 constant 's2' is S, which has 2 members, and this list has 3
// ERROR 14:23 there is no field 'c' in S
// ERROR 15:14 field 'b' of S is missing
// ERROR 16:23 field 'a' is given twice
// ERROR 17:19 bool where member 2 of S is bit<16>
// ERROR 18:18 constant 'n' is bit<8>, and not tuple<int>
// ERROR 20:20 the place in a tuple is from 0 to 0, and not 1
// ERROR 22:47 the right side is S, and not
struct S { bit<8> a; bit<16> b; }
const S s1 = { 1 };
const S s2 = { 1, 2, 3 };
const S s3 = { a = 1, c = 2 };
const S s4 = { a = 1 };
const S s5 = { a = 1, a = 2, b = 3 };
const S s6 = { 1, true };
const bit<8> n = { 1 };
const tuple<bit<8>> t = { 1 };
const bit<8> m = t[1];
header H { bit<8> x; }
control c(inout S s, inout H h) { apply { s = {#}; h = {#}; } }
