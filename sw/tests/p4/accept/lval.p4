// SPDX-License-Identifier: Apache-2.0
header H { bit<8> x; } struct S { H[3] h; H k; }
control c(inout S s, inout bit<8> i) { action a(inout bit<4> z) { z = 1; } action b(inout H z) { z.x = 1; } apply { a(s.h[1].x[3:0]); s.h[i].x[7:4] = 3; b(s.h[i]); s.k = s.h[2]; s.h.push_front(1); s.h[i + 1] = { 3 }; if (s.h[0] == s.h[1]) i = (bit<8>)s.h.size; s.h[s.h[0].x].setInvalid(); (s.k).x = 1; } }
