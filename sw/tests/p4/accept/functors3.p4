// SPDX-License-Identifier: Apache-2.0
parser p00()(bit<2> a, bit<2> b) { state start { transition accept; } }
parser p1(out bit<2> w)(bit<2> a) { p00(a, a + 2w1) q; state start { w = a; q.apply(); transition accept; } }
parser simple(out bit<2> z); package m(simple n); m(p1(2w3)) main;
