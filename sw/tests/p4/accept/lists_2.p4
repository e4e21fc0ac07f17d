// SPDX-License-Identifier: Apache-2.0
struct A { bit<8> x; bit<8> y; } const A a = { 1, 2 }; const list<A> l = { {1, 2}, {3, 4} }; const tuple<A, bit<4>> t = { { 1, 2}, 3 };
extern E { E(list<A> l); } control d() { E({ {1,2}, {3,4} }) e; E((list<A>){ {1,2} }) f; E(l) g; apply { } }
