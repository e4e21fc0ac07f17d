// SPDX-License-Identifier: Apache-2.0
header H { bit<8> x; varbit<64> v; } struct S { H h; H[3] q; bit<8> z; } const int a = 3;
control c(inout S s, out bit<32> z) { apply { z = (bit<32>)s.h.minSizeInBits() + s.q.maxSizeInBytes() + (H.minSizeInBytes()) + S.maxSizeInBits(); bit<(8)> k; bit<(H.minSizeInBits())> kk; } }
