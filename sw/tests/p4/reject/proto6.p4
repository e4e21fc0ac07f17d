// SPDX-License-Identifier: Apache-2.0
// ERROR 5:5 'c' takes 1 argument, and gets 0
control C(in bit<8> a); package top(C c);
control c(in bit<8> a)(bit<8> k) { apply { } }
top(c()) main;
