// SPDX-License-Identifier: Apache-2.0
// ERROR 5:12 what is extracted is a header, and not bit<8>
#include <core.p4>
parser d(packet_in p, out bit<8> x) { state start {
 p.extract(x);
 transition accept; } }
