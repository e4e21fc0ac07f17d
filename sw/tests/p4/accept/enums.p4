// SPDX-License-Identifier: Apache-2.0
#include <core.p4>

enum bit<8> Kind { none = 0, some = 1 + 1, many = 8w7 }

enum int<4> Signed { down = -1, up = 1 }
header H { Kind k; Signed s; bit<4> pad; }
control c(inout H h, inout bit<8> x) {
    apply {
        h.k = Kind.some;
        x = h.k;
        x = h.k + 1;
        h.k = (Kind) x;
        if (h.k == Kind.none || h.k > 3 || h.s == Signed.down) { x = Kind.many; }
        switch (h.k) { Kind.none: { x = 1; } }
    }
}
parser p(packet_in b, out H h) {
    state start { b.extract(h); transition select(h.k) { Kind.none: accept; Kind.some: start; 5 &&& 7: reject; _: accept; } }
}
