// SPDX-License-Identifier: Apache-2.0
header H { bit<0> a; bit<8> b; }
control c(inout H h) { bit<0> z = 0; apply { h.a = z; h.b = h.b; } }
