// SPDX-License-Identifier: Apache-2.0
control C1(in bit<8> a); parser P1(in bit<8> a); package Inner(C1 c); package Outer(P1 p, Inner i, bit<8> z);
control c(in bit<8> a) { apply { } } parser p(in bit<8> a) { state start { transition accept; } }
Inner(c()) i; Outer(p(), i, 3) main;
