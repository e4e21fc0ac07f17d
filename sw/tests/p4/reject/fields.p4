// SPDX-License-Identifier: Apache-2.0
// ERROR 13:22 a header has no field of type E; an enum in a header has a type
// ERROR 13:27 a header has no field of type string
// ERROR 14:12 a header has no field of type H
// ERROR 14:17 a header has no field of type error
// ERROR 15:23 a header union has no field of type bit<8>
// ERROR 18:12 X is no type of a value
// ERROR 18:17 a struct has no field of type int
// ERROR 18:24 void is no type of a value
// ERROR 18:32 a struct has no field of type match_kind
// ERROR 18:46 a stack is of headers or header unions, and not of bit<8>
enum E { a }
header H { bit<8> x; E e; string s; }
header G { H h; error r; }
header_union U { H h; bit<8> x; }
extern X { X(); }
typedef bit<8> b8;
struct S { X x; int i; void v; match_kind m; bit<8>[3] st; }
