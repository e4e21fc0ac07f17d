// SPDX-License-Identifier: Apache-2.0
extern void e(in bit<8> x);
action a() { e(1); }
control c(inout bit<8> a) { action b() { a = 1; .a(); } apply { b(); } }
