// SPDX-License-Identifier: Apache-2.0
// ERROR 12:7 argument 'n' of 'X' is known at compile time
// ERROR 13:5 'X' takes 1 argument, and gets 0
// ERROR 14:10 'three' lacks a body for the abstract method 'f'
// ERROR 15:5 'Y' has no constructor
// ERROR 17:20 argument 'x' of 'h' is bit<8>, and not bool
// ERROR 17:27 'h' takes 1 argument, and gets 0
extern X { X(bit<32> n); abstract bit<8> f(in bit<8> x); }
extern Y { void g(); }
extern Z<T> { Z(); void h(in T x); }
control c(in bit<32> v) {
    X(v) one = { bit<8> f(in bit<8> x) { return x; } };
    X() two = { bit<8> f(in bit<8> x) { return x; } };
    X(3) three;
    Y() four;
    Z<bit<8>>() five;
    apply { five.h(true); five.h(); }
}
