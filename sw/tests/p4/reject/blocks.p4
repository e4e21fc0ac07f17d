// SPDX-License-Identifier: Apache-2.0
// ERROR 11:24 'x' is a parameter of a constructor or package
// ERROR 13:21 'x' is a parameter of a constructor or package
// ERROR 14:27 't' of type T is a parameter of a constructor
// ERROR 14:42 'y' is a parameter of a constructor
// ERROR 15:10 't' of type T is a parameter
// ERROR 16:8 't' of type T is a parameter
// ERROR 17:56 one side of '?:' needs a width
// ERROR 18:8 annotation '@a' stands twice
// ERROR 19:5 annotation '@a' stands twice
extern E { E(in bit<8> x); }
control T(inout bit<8> x);
package K(in bit<8> x);
control c(inout bit<8> x, T t)(in bit<8> y) { apply { } }
parser p(T t) { state start { transition accept; } }
void f(T t) { }
control d(inout bit<8> x, in bool b) { apply { x = b ? 1 : 2; x = true ? 1 : 2; x = b ? 1 : x; } }
@a[1] @a[2] const bit<8> k = 1;
@a @a[2] const bit<8> l = 1;
@a(1) @a(2) @a const bit<8> m = 1;
