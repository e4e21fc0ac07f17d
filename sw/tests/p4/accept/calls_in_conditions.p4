// SPDX-License-Identifier: Apache-2.0
#include <core.p4>

control c(inout bit<8> a) {
    action x() { a = 1; }
    table t { key = { a : exact; } actions = { x; NoAction; } }
    table u { actions = { x; } default_action = x; }
    apply {
        if (!t.apply().hit && a == 1 || u.apply().miss) { a = 2; }
        bool h = t.apply().hit;
        a = h ? 8w1 : 2;
    }
}
