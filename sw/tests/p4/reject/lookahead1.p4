// SPDX-License-Identifier: Apache-2.0
// ERROR 5:6 the type that 'lookahead' gives is not known; write lookahead<T>
#include <core.p4>
parser d(packet_in p, out bit<8> x) { state start {
 x = p.lookahead();
 transition accept; } }
