// SPDX-License-Identifier: Apache-2.0
// ERROR 6:7 the right side is U, and not tuple<tuple<int>, tuple<int>>
header H { bit<8> a; }
header_union U { H h; H i; }
control d(inout U u) { apply { 
  u = { {1}, {2} };
} }
