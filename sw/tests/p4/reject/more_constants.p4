// SPDX-License-Identifier: Apache-2.0
// ERROR 9:22 the value of constant 'k' is known
// ERROR 10:22 the value of constant 'l' is known
// ERROR 11:20 the value of constant 'm' is known
// ERROR 12:7 argument 'n' of 'X' is known at compile time
header H { bit<8> x; }
extern X { X(bit<8> n); }
control c(in H h) {
    const bit<8> k = h.x;
    const bit<8> l = h.x + 1;
    const bool m = h.isValid();
    X(h.x) e;
    apply { }
}
