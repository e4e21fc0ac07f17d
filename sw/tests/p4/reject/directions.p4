// SPDX-License-Identifier: Apache-2.0
// ERROR 7:16 parameter 'x' of type X has no direction
// ERROR 7:33 the default of 'y' is bit<8>, and not bool
// ERROR 8:19 parameter 'a' is out, so it has no default
// ERROR 9:64 in an action, parameters with a direction stand before those without
extern X { X(); }
control c(in X x, in bit<8> y = true) { apply { } }
void f(out bit<8> a = 3) { a = 1; }
control d(inout bit<8> v) { action a(bit<8> data, inout bit<8> q) { q = data; } apply { } }
