// SPDX-License-Identifier: Apache-2.0
control C1(in bit<8> a); package Top(C1 c, @optional C1 d, bit<8> q = 3);
control c(in bit<8> a) { apply { } } 
Top(c = c(), q = 4) main;
