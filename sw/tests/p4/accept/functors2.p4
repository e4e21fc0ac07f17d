// SPDX-License-Identifier: Apache-2.0
parser p(out bit<2> b)(bit<2> a) { state start { b = a; transition accept; } }
const bit<1> bv = 1w0;
parser q(out bit<2> z) { p(bv ++ 1w1) p1; state start { p1.apply(z); transition accept; } }
parser simple(out bit<2> z); package m(simple n); m(q()) main;
