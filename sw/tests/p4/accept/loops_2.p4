// SPDX-License-Identifier: Apache-2.0
header H { bit<8> x; } control c(inout H[4] h, out bit<8> z) { apply { for (bit<8> i in 8w0..3) { z = i; } for (H x in h) { z = x.x; } for (int<8> i = 0; i < 4; i = i + 1) { } bit<8> n; for (n = 0; n < 4; n += 1) { } for (@foo bit<8> i in (list<bit<8>>){ 1, 2, 3}) { z = i; } for (;true;) { break; } for (bit<8> i in 1 .. 5) { continue; } } }
