// SPDX-License-Identifier: Apache-2.0
// Methods are written in instances of externs, with the type parameters that the extern says.
extern X {
  X();
  abstract bit<8> f<T>(in bit<8> a, in T b);
}
control d();
package p(d one);
control e() {
  X() x = {
    bit<8> f(in bit<8> a, in bit<8> b) { return a; }
  };
  apply {}
}
control g() { apply {} }
control h() {
  g() inner = { bool b() { return true; } };
  apply { inner.apply(); }
}
p(e()) main = { };
// ERROR 10:7 'x' lacks a body for the abstract method 'f'
// ERROR 11:12 'X' has no abstract method 'f' with 2 parameters
// ERROR 17:7 g is no extern, so no methods of it are written here
// ERROR 20:8 p is no extern, so no methods of it are written here
