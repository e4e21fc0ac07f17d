// SPDX-License-Identifier: Apache-2.0
#include <core.p4>
extern R { R(bit<8> x); void f(inout bit<8> a); }
R(3) glob; extern void use(R r);
control k(inout bit<8> a)(R r) { apply { r.f(a); glob.f(a); use(glob); } }
control top(inout bit<8> a) { R(4) mine; k(mine) kk; k(R(3)) kj; k(glob) kg; apply { kk.apply(a); kj.apply(a); kg.apply(a); } }
parser sub(packet_in p, out bit<8> x) { state start { x = p.lookahead<bit<8>>(); transition accept; } }
parser pp(packet_in p, out bit<8> x) { sub() s; state start { s.apply(p, x); sub.apply(p, x); transition select(p.lookahead<bit<16>>()) { 0x800: start; 16w1 .. 16w5: accept; 0 &&& 0: reject; } } }
