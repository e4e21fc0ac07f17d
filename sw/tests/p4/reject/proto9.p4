// SPDX-License-Identifier: Apache-2.0
// ERROR 5:5 'c' is a type, and no value
control C(in bit<8> a); package top(C c);
control c(in bit<8> a) { apply { } }
top(c) main;
