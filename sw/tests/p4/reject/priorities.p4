// SPDX-License-Identifier: Apache-2.0
// ERROR 13:13 other entries have a priority, so the first one needs one
// ERROR 17:79 'priority_delta' is from 1
// ERROR 17:106 'largest_priority_wins' is true or false
// ERROR 20:52 the priority of this entry would be below 0
#include <core.p4>

control c(inout bit<8> a) {
    table t {
        key = { a : ternary; }
        actions = { NoAction; }
        entries = {
            1 : NoAction();
            priority = 5 : 2 : NoAction();
        }
    }
    table u { key = { a : ternary; } actions = { NoAction; } priority_delta = 0; largest_priority_wins = 3;
        entries = { priority = 0 : 1 : NoAction(); 2 : NoAction(); } }
    table w { key = { a : ternary; } actions = { NoAction; }
        entries = { priority = 0 : 1 : NoAction(); 2 : NoAction(); } }
    apply { }
}
