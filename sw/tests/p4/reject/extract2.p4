// SPDX-License-Identifier: Apache-2.0
// ERROR 6:12 what is extracted is a header, and not S
#include <core.p4>
struct S { bit<8> a; }
parser d(packet_in p, out S x) { state start {
 p.extract(x);
 transition accept; } }
