// SPDX-License-Identifier: Apache-2.0
parser p1<T>(in T a); parser simple(in bit<8> a) { state start { transition accept; } }
package m(p1<bit<8>> n); m(simple()) main;
