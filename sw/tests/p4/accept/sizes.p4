// SPDX-License-Identifier: Apache-2.0
#include <core.p4>

header H { bit<8> a; bit<13> b; varbit<40> c; }
header J { bit<8> a; }
header_union U { J j; H h; }
struct S { J[3] js; U u; bool t; }
const bool a1 = static_assert(H.minSizeInBits() == 21 && H.maxSizeInBits() == 61);
const bool a2 = static_assert(H.minSizeInBytes() == 3 && H.maxSizeInBytes() == 8);
const bool a3 = static_assert(S.minSizeInBits() == 24 + 21 + 1);
const bool a4 = static_assert(J.minSizeInBits() == bit<8>.minSizeInBits());
control c(inout H h) { apply { h.b = (bit<13>) h.maxSizeInBits(); } }
