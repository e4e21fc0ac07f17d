// SPDX-License-Identifier: Apache-2.0
// ERROR 4:14 'table' is a word of the language
// ERROR 5:19 'in' is a word of the language
const bit<8> table = 1;
struct S { bit<8> in; }
