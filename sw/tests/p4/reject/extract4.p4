// SPDX-License-Identifier: Apache-2.0
// ERROR 6:2 extract with two arguments takes a header with one varbit
#include <core.p4>
header S { bit<8> a; }
parser d(packet_in p, out S x) { state start {
 p.extract(x, 32w8);
 transition accept; } }
