// SPDX-License-Identifier: Apache-2.0
extern void two(out bit<8> a, inout bit<8> b);
struct S { bit<8> x; bit<16> y; }
void set(out S s, in bit<8> v) { s = { v, 0 }; }
control c(inout S s, inout bit<16> w) {
    apply { two(s.x, w[7:0]); two(_, w[15:8]); set(s, 3); set(v = s.x, s = s); bit<8> fresh; two(fresh, fresh); }
}
