// SPDX-License-Identifier: Apache-2.0
// ERROR 6:10 argument 'd' of 'top' is d, which does not go with the other arguments
control C<T>(in T a); package top<T>(C<T> c, C<T> d);
control c(in bit<8> a) { apply { } }
control d(in bit<9> a) { apply { } }
top(c(), d()) main;
