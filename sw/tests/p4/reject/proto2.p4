// SPDX-License-Identifier: Apache-2.0
// ERROR 5:5 argument 'c' of 'top' is C, and not c
control C(in bit<8> a); package top(C c);
control c(in bit<8> a, in bit<8> b) { apply { } }
top(c()) main;
