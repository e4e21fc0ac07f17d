// SPDX-License-Identifier: Apache-2.0
enum E { A, B, } struct S { bit<8> a; } const S s = { 1, }; const S t = { a = 1, }; const tuple<bit<8>, bit<8>> q = {1, 2,};
