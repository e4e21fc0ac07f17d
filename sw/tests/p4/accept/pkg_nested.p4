// SPDX-License-Identifier: Apache-2.0
parser P<H>(inout H h); control C<H>(inout H h); package In<H>(P<H> p, C<H> c); package Out<A, B>(In<A> a, In<B> b); struct S1 { bit<8> x; } struct S2 { bit<8> x; }
parser p1(inout S1 h) { state start { transition accept; } } control c1(inout S1 h) { apply { } } parser p2(inout S2 h) { state start { transition accept; } } control c2(inout S2 h) { apply { } }
In(p1(), c1()) i1; Out(i1, In(p2(), c2())) main;
