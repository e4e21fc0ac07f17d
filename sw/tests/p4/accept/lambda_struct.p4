// SPDX-License-Identifier: Apache-2.0
struct S { bit<8> a; bit<8> b; } extern void f(in S s); extern void g<T>(in T t); bit<8> h(in S s) { return s.a; }
control c(inout bit<8> x) { apply { f({1, 2}); f({ a = 1, b = 2}); g({8w1, true}); g((S){1, 2}); x = h({b = x, a = 1}); g({}); g({{8w1}, 8w2}); g<S>({1,2}); } }
