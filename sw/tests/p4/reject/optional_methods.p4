// SPDX-License-Identifier: Apache-2.0
// What is not @optional has to be there, and what is there has the extern's parameters.
extern X<T> {
  X();
  abstract void first(inout T a, @optional out T b);
  @optional abstract void second(in T a, in T b);
}
control c() {
  X<bit<8>>() x = {
    void second(in bit<8> a, in bit<8> b) {}
  };
  X<bit<8>>() y = {
    void first(inout bit<8> a, in bit<8> b) {}
    void second(in bit<8> a) {}
  };
  apply {}
}
// ERROR 9:15 'x' lacks a body for the abstract method 'first'
// ERROR 13:42 parameter 'b' of the abstract method has another direction
// ERROR 14:10 'X<bit<8>>' has no abstract method 'second' with 1 parameter
