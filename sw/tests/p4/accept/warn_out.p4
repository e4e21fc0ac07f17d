// SPDX-License-Identifier: Apache-2.0
// WARNING 6:77 'b' is read before it is written
// WARNING 6:106 'd' is read before it is written
extern void put(out bit<8> x);
extern void both(inout bit<8> x);
control c(inout bit<8> r) { apply { bit<8> a; put(a); r = a; bit<8> b; both(b); r = b; bit<8> d; r = r + d; } }
