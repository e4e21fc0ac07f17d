// SPDX-License-Identifier: Apache-2.0
// ERROR 6:10 'main' is declared twice here
control C(in bit<8> a); package top(C c);
control c(in bit<8> a) { apply { } }
top(c()) main;
top(c()) main;
