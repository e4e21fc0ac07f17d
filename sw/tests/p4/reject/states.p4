// SPDX-License-Identifier: Apache-2.0
// ERROR 12:47 parser 'p' has no state 'onee'; is 'one' meant?
// ERROR 12:56 parser 'p' has no state 'strat'; is 'start' meant?
// ERROR 13:28 parser 'p' has no state 'nowhere'
// ERROR 14:11 state 'one' is declared twice
// ERROR 15:11 every parser has the state 'accept'
// ERROR 17:8 parser 'q' has no state 'start'
#include <core.p4>

header H { bit<8> x; }
parser p(packet_in b, out H h) {
    state start { transition select(h.x) { 1: onee; 2: strat; } }
    state one { transition nowhere; }
    state one { transition accept; }
    state accept { }
}
parser q(packet_in b) { state begin { transition accept; } }
