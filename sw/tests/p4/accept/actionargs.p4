// SPDX-License-Identifier: Apache-2.0
struct S { bit<8> a; } header H { bit<8> a; } 
control c(inout H h, inout S s) { action a(in H x, out S y, inout bit<8> q, bit<4> z) { y.a = x.a; q = (bit<8>)z; } action b(H hh, bool q) {} apply { a(h, s, h.a, 3); a({1}, s, s.a, 4w3); b({1}, true); b(h, h.a == 1); } }
