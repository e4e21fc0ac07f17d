// SPDX-License-Identifier: Apache-2.0
// ERROR 4:1 'top' takes 1 argument, and gets 0
control C(in bit<8> a); package top(C c);
top() main;
