// SPDX-License-Identifier: Apache-2.0
struct P<T> { T x; }
typedef tuple<tuple<bit<8>, P<P<bit<8>>>>> deep_t;
const deep_t d = { { 1, { { 2 } } } };
const bit<8> e = d[0][1].x.x;
extern void f<T>(in T a);
control c(in bit<8> a, in bit<8> b, in bit<8> cc) {
    apply { f<P<P<bit<8>>>>({ { 3 } }); if (a < b && b > (cc)) { f(a >> 1); } f<bit<8>>(a < b ? a : b); }
}
