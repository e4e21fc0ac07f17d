// SPDX-License-Identifier: Apache-2.0
// ERROR 5:5 argument 'c' of 'top' is C, and not c
control C(in bit<8> a); package top(C c);
parser c(in bit<8> a) { state start { transition accept; } }
top(c()) main;
