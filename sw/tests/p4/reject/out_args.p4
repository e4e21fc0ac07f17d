// SPDX-License-Identifier: Apache-2.0
// ERROR 8:11 argument 'x' of 'f' changes, and 'a' is an 'in' parameter
// ERROR 9:11 argument 'x' of 'f' is a variable
// ERROR 10:14 argument 'y' of 'f' is bit<4>, and not bit<8>; nothing is converted
void f(inout bit<8> x, out bit<4> y) { x = 1; y = 2; }
control c(in bit<8> a, inout bit<8> b, inout bit<4> d) {
    apply {
        f(a, d);
        f(3, d);
        f(b, b);
    }
}
