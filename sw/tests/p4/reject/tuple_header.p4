// SPDX-License-Identifier: Apache-2.0
// ERROR 6:7 the right side is H, and not tuple<bit<8>>
header H { bit<8> x; }
control c(inout H h) { apply {
  tuple<bit<8>> t = { 8w1 };
  h = t;
} }
