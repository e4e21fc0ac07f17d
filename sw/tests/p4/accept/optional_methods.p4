// SPDX-License-Identifier: Apache-2.0
// An instance may lack methods that are @optional, and its bodies such parameters at the end; an enum may be numbered in a type of the program's own.
extern X<T> {
  X();
  abstract void first(inout T a, @optional out T b);
  @optional abstract void second(@optional inout T a, @optional out T b);
}
type bit<16> kind_t;
typedef kind_t also_t;
enum also_t Kind { One = 1, Two = 2 }
header h_t { Kind kind; }
control c(inout bit<8> v, inout h_t h) {
  X<bit<8>>() x = {
    void first(inout bit<8> a) { a = 1; }
  };
  X<bit<8>>() y = {
    void first(inout bit<8> a, out bit<8> b) { b = a; }
    void second() {}
  };
  apply {
    if (h.kind == Kind.One) { h.kind = (Kind)16w7; }
    v = (bit<8>)(bit<16>)Kind.Two;
  }
}
