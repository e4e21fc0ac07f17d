// SPDX-License-Identifier: Apache-2.0
// ERROR 5:5 argument 'c' of 'top' is c, which does not go with the other arguments
control C<T>(in T a, in T b); package top<T>(C<T> c);
control c(in bit<8> a, in bit<9> b) { apply { } }
top(c()) main;
