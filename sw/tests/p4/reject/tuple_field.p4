// SPDX-License-Identifier: Apache-2.0
// ERROR 5:7 tuple<bit<8>> has no members, so no 'x'
control c(inout bit<8> h) { apply {
  tuple<bit<8>> t = { 8w1 };
  h = t.x;
} }
