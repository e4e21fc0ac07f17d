// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 the right side is U, and not tuple<int>
header A { bit<8> x; } header_union U { A a; }
control c(inout U u) { apply { 
  u = { 1 };
} }
