// SPDX-License-Identifier: Apache-2.0
// ERROR 6:36 argument 'x' of 'f' has no type
// ERROR 6:50 argument 'x' of 'f' has no type
extern void f<T>(in T x);
struct S { bit<8> a; }
control c(in bit<8> v) { apply { f({ a = v }); f({#}); f<S>({ a = v }); f((S) { a = v }); } }
