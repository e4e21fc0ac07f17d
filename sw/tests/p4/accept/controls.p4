// SPDX-License-Identifier: Apache-2.0
#include <core.p4>

header H { bit<8> a; bit<16> b; }
struct Hs { H h; H[3] s; }
control Inner(inout H h)(bit<8> by) {
    apply { h.a = h.a + by; if (h.a == 0) { exit; } }
}
control Other(inout H h) { apply { h.b = 1; return; } }
control C(inout Hs hdr, in bool flag) {
    Inner(3) first;
    Inner(by = 4) second;
    action set(inout bit<8> x, bit<8> y) { x = y; return; }
    action both() { set(hdr.h.a, 3); exit; }
    action none() { }
    table t {
        key = { hdr.h.a : exact; hdr.s[1].b : ternary; flag : exact; hdr.h.isValid() : exact; }
        actions = { set(hdr.h.a); both; none; NoAction; }
        size = 16;
        default_action = set(hdr.h.a, 9);
    }
    table keyless { actions = { none; } const default_action = none; }
    apply {
        first.apply(hdr.h);
        second.apply(h = hdr.h);
        Other.apply(hdr.h);
        if (t.apply().hit) { none(); } else if (keyless.apply().miss) { both(); }
        switch (t.apply().action_run) {
            set: { hdr.h.a = 1; }
            both:
            none: { hdr.h.a = 2; }
            default: { }
        }
        hdr.s.push_front(1);
        hdr.s.pop_front(2);
        hdr.s[0].setValid();
        hdr.s[0].setInvalid();
        if (hdr.s[2].isValid() && hdr.s.size == 3) { hdr.h = hdr.s[0]; }
        ;
    }
}
