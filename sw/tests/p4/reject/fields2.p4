// SPDX-License-Identifier: Apache-2.0
// ERROR 11:12 unknown type 'S'
// ERROR 11:19 the size of a stack is from 1
// ERROR 11:27 the size of a stack is from 1
// ERROR 11:37 unknown type 'H2'
// ERROR 12:6 'type' makes a new type of
// ERROR 13:6 an enum is numbered in bit<W>
// ERROR 14:17 'a' lacks a value
// ERROR 15:10 'a' has a value
header H { bit<8> x; }
struct S { S s; H[0] a; H[70000] b; H2[2] c; bit<8> ok; }
type H N;
enum bool E { a = true }
enum bit<8> F { a, b = 3 }
enum G { a = 1 }
