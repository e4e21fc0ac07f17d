// SPDX-License-Identifier: Apache-2.0
extern void f(in bit<8> a, @optional out bit<8> b, @optional in bit<8> c);
extern X { X(@optional bit<8> a, bit<8> b = 3); }
control c(inout bit<8> v) { X() x; X(1, 2) y; X(b = 7) z; apply { f(1); f(1, v); f(a = 1, c = v); } }
