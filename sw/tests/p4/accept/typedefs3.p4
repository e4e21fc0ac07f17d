// SPDX-License-Identifier: Apache-2.0
typedef bit<8> T; header H { T x; } typedef H HH; typedef H[3] HS; struct S { HS hs; HH h; } typedef error E; struct R { E e; }
control c(inout S s, inout R r) { apply { s.hs[0] = s.h; HH q = { 1 }; s.hs[1].x = (T)3; } }
