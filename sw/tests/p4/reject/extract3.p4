// SPDX-License-Identifier: Apache-2.0
// ERROR 6:2 S has a varbit; how many bits it gets is a second argument of extract
#include <core.p4>
header S { varbit<8> a; }
parser d(packet_in p, out S x) { state start {
 p.extract(x);
 transition accept; } }
