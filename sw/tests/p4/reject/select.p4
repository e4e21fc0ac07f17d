// SPDX-License-Identifier: Apache-2.0
// ERROR 14:14 the key is bit<8>, and not bool
// ERROR 15:13 there are 2 keys, and this is for 1
// ERROR 16:13 there are 2 keys, and this is for 3
// ERROR 17:20 the mask is bit<8>, and not bool
// ERROR 18:22 the key is bit<16>, and not H
// ERROR 22:35 'select' is over numbers
#include <core.p4>

header H { bit<8> x; bit<16> y; }
parser p(packet_in b, out H h) {
    state start {
        transition select(h.x, h.y) {
            (true, 1): accept;
            1: accept;
            (1, 2, 3): accept;
            (1 &&& true, 2): accept;
            (1 .. 2, h): accept;
            _: reject;
        }
    }
    state two { transition select(h) { default: accept; } }
}
