// SPDX-License-Identifier: Apache-2.0
extern E { E(); }
parser Par<T>(out T t);
control Con<T>(inout T t, in bit<8> x);
package Half<T>(Par<T> p, Con<T> c, @optional E e);
package Whole<A, B>(Half<A> a, Half<B> b, bit<8> n = 3);
struct S { bit<8> f; }
parser p1(out S s) { state start { transition accept; } }
control c1(inout S s, in bit<8> y)(bit<8> size, bool flag) {
    bit<8> z = size;
    apply { if (flag) { s.f = y + z; } }
}
Half(p1(), c1(8, true)) half;
Whole(half, Half(p1(), c1(flag = false, size = 1), E()), 5) main;
