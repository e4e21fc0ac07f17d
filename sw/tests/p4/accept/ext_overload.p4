// SPDX-License-Identifier: Apache-2.0
extern void f(in bit<8> a); extern void f(in bit<8> a, in bit<8> b); extern void g<T>(in T x); extern T h<T>(); extern T fst<T, S>(in T a, in S b);
control d(inout bit<8> x) { apply { f(1); f(1, 2); g(true); x = h<bit<8>>(); x = fst(x, 16w1); x = fst<bit<8>, _>(x, true); } }
