// SPDX-License-Identifier: Apache-2.0
// ERROR 3:24 'b' lacks a value; every member of an enum with a type has one
enum bit<8> E { a = 1, b }
