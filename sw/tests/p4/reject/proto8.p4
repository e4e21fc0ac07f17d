// SPDX-License-Identifier: Apache-2.0
// ERROR 5:1 'top' takes 1 argument, and gets 2
control C(in bit<8> a); package top(C c);
control c(in bit<8> a) { apply { } }
top(c(), c()) main;
