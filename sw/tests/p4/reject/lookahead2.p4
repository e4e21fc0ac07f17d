// SPDX-License-Identifier: Apache-2.0
// ERROR 6:6 lookahead is of a type with a fixed width, and not of S
#include <core.p4>
header S { varbit<8> a; }
parser d(packet_in p, out S x) { state start {
 x = p.lookahead<S>();
 transition accept; } }
